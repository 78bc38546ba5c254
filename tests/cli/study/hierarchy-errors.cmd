cat > s.yaml <<'END'
study: a
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 12]}}
  - {name: b, role: quasi-identifying, type: integer, hierarchy: {intervals: []}}
  - {name: c, role: quasi-identifying, hierarchy: {intervals: [5], mask: right}}
  - {name: d, role: quasi-identifying, hierarchy: {mask: rigth}}
  - {name: e, role: quasi-identifying, hierarchy: {mask: left, character: xx}}
  - {name: f, role: quasi-identifying, hierarchy: {mask: left, snap: true}}
  - {name: g, role: quasi-identifying, type: date, hierarchy: {dates: [week, month]}}
  - {name: h, role: quasi-identifying, type: date, hierarchy: {dates: [fortnight]}}
  - {name: i, role: quasi-identifying, hierarchy: {order: [2, 3]}}
  - {name: j, role: quasi-identifying, hierarchy: {}}
  - {name: k, role: quasi-identifying, hierarchy: [suppress]}
  - {name: l, role: quasi-identifying, hierarchy: intervals}
  - {name: m, role: quasi-identifying, hierarchy: nowhere.csv}
  - {name: n, role: quasi-identifying, hierarchy: {intervalls: [5]}}
  - {name: o, role: quasi-identifying, type: integer, domain: {range: [9, 1]}}
  - {name: p, role: quasi-identifying, type: integer, domain: {range: [1]}}
  - {name: q, role: quasi-identifying, type: string, domain: {range: [1, 2]}}
  - {name: r, role: quasi-identifying, type: date, domain: {range: [2020-01-01, soon]}}
  - {name: s, role: quasi-identifying, domain: dta}
  - {name: t, role: quasi-identifying, type: integer, hierarchy: {intervals: ["5"]}}
  - {name: u, role: quasi-identifying, type: integer, hierarchy: {intervals: [5], origin: x}}
  - {name: v, role: quasi-identifying, type: integer, domain: {range: [0.5, 2]}}
privacy:
  - {model: k-anonymity, k: 5}
END
kith study check s.yaml

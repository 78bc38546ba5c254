# Draws curves as SVG. Input: tab-separated, a header line "x<TAB>series…", then rows; "-" or an
# empty cell is no point. Series named "… (paper)" are drawn as marks without a line.
#   awk -f plot.awk -v title=T -v xlabel=X -v ylabel=Y [-v log_y=1] [-v xy=1] in.tsv > out.svg
# With xy=1 the columns are pairs, x and y of each series, and the header names a series over its y.
BEGIN { FS = "\t"; left = 70; top = 40; width = 520; height = 320 }

function scaled(v) { return log_y ? log(v) / log(10) : v }
function sx(v) { return left + (v - x0) / (x1 - x0) * width }
function sy(v) { return top + height - (scaled(v) - y0) / (y1 - y0) * height }

# A round step that cuts a span into four to eight.
function step_of(span,   s) {
    s = 10 ^ int(log(span / 5) / log(10) - (span / 5 < 1 ? 1 : 0))
    while (span / s > 8) s *= (span / s > 16 ? 5 : 2)
    return s
}
function text(x, y, anchor, size, what) {
    gsub(/&/, "\\&amp;", what); gsub(/</, "\\&lt;", what)
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">", x, y, anchor, size
    print what "</text>"
}
function line(xa, ya, xb, yb, style) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", xa, ya, xb, yb, style
}
function mark(x, y, radius, fill, stroke) {
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"", x, y, radius
    printf " fill=\"%s\" stroke=\"%s\"/>\n", fill, stroke
}

NR == 1 { for (i = 2; i <= NF; i += xy ? 2 : 1) name[++series] = $i; next }
{
    for (s = 1; s <= series; s++) {
        xs = xy ? $(2 * s - 1) : $1; ys = xy ? $(2 * s) : $(s + 1)
        if (ys == "" || ys == "-" || xs == "" || xs == "-" || (log_y && ys <= 0)) continue
        n = ++points[s]; X[s, n] = xs; Y[s, n] = ys; v = scaled(ys)
        if (!seen++) { x0 = x1 = xs + 0; y0 = y1 = v }
        if (xs < x0) x0 = xs + 0
        if (xs > x1) x1 = xs + 0
        if (v < y0) y0 = v
        if (v > y1) y1 = v
    }
}

function axes(   v, st, yy, grid) {
    grid = "stroke=\"#dddddd\""
    st = step_of(x1 - x0)
    for (v = int(x0 / st) * st; v <= x1 + st / 1000; v += st) if (v >= x0 - st / 1000) {
        line(sx(v), top, sx(v), top + height, grid)
        text(sx(v), top + height + 18, "middle", 12, sprintf("%g", v))
    }
    st = log_y ? 1 : step_of(y1 - y0)
    for (v = int(y0 / st) * st; v <= y1 + st / 1000; v += st) if (v >= y0 - st / 1000) {
        yy = top + height - (v - y0) / (y1 - y0) * height
        line(left, yy, left + width, yy, grid)
        text(left - 8, yy + 4, "end", 12, sprintf("%g", log_y ? 10 ^ v : v))
    }
    line(left, top + height, left + width, top + height, "stroke=\"black\"")
    line(left, top, left, top + height, "stroke=\"black\"")
    text(left + width / 2, top + height + 42, "middle", 13, xlabel)
    printf "<g transform=\"rotate(-90 18 %d)\">", top + height / 2
    text(18, top + height / 2, "middle", 13, ylabel)
    print "</g>"
}
function curve(s,   n, c, paper, ly, style) {
    c = color[(s - 1) % 8 + 1]; paper = name[s] ~ /\(paper\)/
    if (!paper) {
        printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", c
        for (n = 1; n <= points[s]; n++) printf "%.1f,%.1f ", sx(X[s, n]), sy(Y[s, n])
        print "\"/>"
    }
    for (n = 1; n <= points[s]; n++)
        mark(sx(X[s, n]), sy(Y[s, n]), paper ? 4 : 3, paper ? "white" : c, c)
    ly = top + 14 + (s - 1) * 20
    if (paper) mark(left + width + 27, ly - 4, 4, "white", c)
    else line(left + width + 15, ly - 4, left + width + 40, ly - 4,
              "stroke=\"" c "\" stroke-width=\"2\"")
    text(left + width + 46, ly, "start", 12, name[s])
}

END {
    if (!seen) exit 1
    if (!log_y && y0 > 0) y0 = 0
    if (log_y) { y0 = int(y0) - (y0 < int(y0)); y1 = int(y1) + (y1 > int(y1)) }
    if (x1 == x0) x1 = x0 + 1
    if (y1 == y0) y1 = y0 + 1
    if (!log_y) y1 += (y1 - y0) * 0.05
    split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #8c564b #17becf #7f7f7f", color, " ")
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"430\""
    print " viewBox=\"0 0 800 430\" font-family=\"sans-serif\">"
    print "<rect width=\"800\" height=\"430\" fill=\"white\"/>"
    text(left + width / 2, 22, "middle", 15, title)
    axes()
    for (s = 1; s <= series; s++) curve(s)
    print "</svg>"
}

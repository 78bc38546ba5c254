# For shell tests of processes that take part in a study: waits until three parties have met.

# met STUDY PID: waits until each of the three parties of STUDY is connected to both others (state 01 in
# /proc/net/tcp) and nobody listens any more (0A), which they do until the handshakes are over. Fails if
# the process PID ends first.
met() {
  local ports
  ports=$(sed -n 's/.*address: "127\.0\.0\.1:\([0-9]*\)".*/\1/p' "$1" | xargs printf ' %04X')
  until awk -v ports="$ports " '
      { split($2, here, ":") }
      index(ports, " " here[2] " ") { sockets[$4]++ }
      END { exit !(sockets["01"] >= 3 && !sockets["0A"]) }' /proc/net/tcp; do
    kill -0 "$2" 2>/dev/null || return 1
    sleep 0.1
  done
}

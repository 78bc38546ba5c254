# For shell tests of processes that take part in a study: waits until three parties have met.

# met STUDY PID: waits until each of the three parties of STUDY is connected to both others and nobody
# listens any more, which they do until the handshakes are over. Fails if the process PID ends first.
met() {
  local port ports=" " _ here there state rest connected=0 listening=0
  for port in $(sed -n 's/.*address: "127\.0\.0\.1:\([0-9]*\)".*/\1/p' "$1"); do
    ports+="$(printf %04X "$port") "
  done
  until [ $connected -ge 3 ] && [ $listening = 0 ]; do
    kill -0 "$2" 2>/dev/null || return 1
    sleep 0.1
    connected=0 listening=0
    while read -r _ here there state rest; do
      [[ $ports == *" ${here#*:} "* ]] || continue
      case $state in
        01) connected=$((connected + 1)) ;;
        0A) listening=$((listening + 1)) ;;
      esac
    done </proc/net/tcp
  done
}

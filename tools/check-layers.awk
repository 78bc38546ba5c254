# Checks the sources of src/ and console/ against tools/layers.txt, which explains the rules.
#   awk -f tools/check-layers.awk tools/layers.txt FILE…      (FILE: src/<module>/[<room>/]<file>, console/…)
function inside(path) { sub(/^src\//, "", path); return path }
function complain(where, text) { print where ": " text; failed = 1 }
function place_of(path) { sub(/\/[^\/]*$/, "", path); return path }
function module_of(place) { sub(/\/.*/, "", place); return place }

# Pass 1: places and files.
BEGIN {
  most = 37
  for (i = 2; i < ARGC; i++) {
    file = inside(ARGV[i])
    place = place_of(file)
    if (split(file, parts, "/") > 3) complain(ARGV[i], "deeper than src/<module>/<room>/<file>")
    is_file[file] = 1
    files[place]++
    if (place != module_of(place)) has_rooms[module_of(place)] = 1
  }
}

# Pass 2: the rules. may[from, to] is set for what stands in a line.
function permit(from, to, line) {
  if (!(to in files)) complain(line, "there is no src/" to)
  else if (!(from in is_file) && !(to in known)) complain(line, to " must stand above " from)
  may[from, to] = 1
}
FILENAME == ARGV[1] {
  line = FILENAME ":" FNR
  sub(/#.*/, "")
  if ($0 !~ /[^ ]/) next
  if ($1 !~ /:$/) { complain(line, "not of the form \"place: places\""); next }
  from = substr($1, 1, length($1) - 1)
  if (!(from in files) && !(from in is_file)) complain(line, "there is no src/" from)
  for (i = 2; i <= NF; i++) {
    if ($i !~ /\/\*$/) { permit(from, $i, line); continue }
    module = substr($i, 1, length($i) - 2)
    if (!(module in has_rooms)) complain(line, "src/" module " has no rooms")
    for (place in files)
      if (place != module && module_of(place) == module && place != from) permit(from, place, line)
  }
  known[from] = 1
  next
}

# Pass 3: the includes. The public headers are written <kith/…> and are free to all.
/^[ \t]*#[ \t]*include[ \t]*"/ {
  split($0, quoted, "\"")
  from = place_of(inside(FILENAME))
  to = place_of(quoted[2])
  if (quoted[2] !~ /^[a-z0-9_]+\/([a-z0-9_]+\/)?[a-z0-9_]+\.h$/)
    complain(FILENAME ":" FNR, "write #include \"module/file.h\" or \"module/room/file.h\"")
  else if (to != from && !((from, to) in may) && !((inside(FILENAME), to) in may))
    complain(FILENAME ":" FNR, "src/" from " may not include " to)
}

END {
  for (place in files) {
    if (!(place in known)) complain("tools/layers.txt", "no line for src/" place)
    if (files[place] > most)
      complain("src/" place, files[place] " files, more than " most ": make a room")
  }
  exit failed
}

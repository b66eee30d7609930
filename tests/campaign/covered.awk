# What the cases of a log cover: kinds by ways to run, and properties of problems, as tables of Markdown.
# usage: awk -f covered.awk LOG
BEGIN {
  FS = "\t"
  nway = split("C bundle library opencl cuda hip metal sycl", ways, " ")
  of["gcc"] = of["clang"] = "C"
  of["bundle"] = of["embedded"] = "bundle"
  of["llvm"] = of["cc"] = of["tcc"] = of["pack"] = "library"
  of["opencl"] = of["cl"] = "opencl"
  of["cuda"] = of["kernel"] = "cuda"
  of["hip"] = "hip"
  of["metal"] = "metal"
  of["sycl"] = "sycl"
}
function count(group, name) {
  if (!((group, name) in cases)) names[group] = names[group] " " name
  cases[group, name]++
  if ($2 != "passed") failed[group, name]++
}
function table(group, title, list, n, i) {
  n = split(names[group], list, " ")
  printf "\n| %s | cases | failed |\n|---|---|---|\n", title
  for (i = 1; i <= n; i++) printf "| %s | %d | %d |\n", list[i], cases[group, list[i]], failed[group, list[i]]
}
NF > 1 && $2 != "skipped" {
  split($6, word, " ")
  kind = word[1]
  if (!(kind in kinds)) kinds[kind] = ++nkind
  kind_name[kinds[kind]] = kind
  met[kind, of[$3]]++
  count("precision", word[2])
  count("place", $6 ~ / place=in/ ? "in" : "out")
  layout = "interleaved"
  if (match($6, / layout=[^ ]*/)) layout = substr($6, RSTART + 8, RLENGTH - 8)
  count("layout", layout)
  count("dimensions", $6 ~ / n=[^ ]*[0-9\]]x/ ? "several" : "one")
  count("operations", ($6 ~ / load=/ ? "load" : "") ($6 ~ / store=/ ? "store" : "") ($6 !~ / (load|store)=/ ? "none" : ""))
  if ($4 != "-") count("ISA", $4)
  count("door", $3)
}
END {
  printf "\n| kind |"
  for (w = 1; w <= nway; w++) printf " %s |", ways[w]
  printf "\n|---|"
  for (w = 1; w <= nway; w++) printf "---|"
  print ""
  for (k = 1; k <= nkind; k++) {
    printf "| %s |", kind_name[k]
    for (w = 1; w <= nway; w++) printf " %d |", met[kind_name[k], ways[w]]
    print ""
  }
  table("door", "door")
  table("ISA", "instruction set")
  table("place", "place")
  table("layout", "layout")
  table("precision", "precision")
  table("dimensions", "dimensions")
  table("operations", "operations")
  print ""
}

function applies(p) local t = {5, 3, "b", 1, "a"} table.sort(t, function(a, b) return tostring(a) < tostring(b) end)
  local s = "" for k, v in pairs({ a = 1, b = 2, 7 }) do s = s .. string.format("%s=%5.2f,", k, v) end
  return utf8.len(s) > 0 and s:upper():sub(2, -2):reverse():byte(1, 3) end
function plans(p) local t = {} for i = 1, 3 do table.insert(t, { "cooley-tukey", 2, { "direct", p.points // 2 } }) end return t end

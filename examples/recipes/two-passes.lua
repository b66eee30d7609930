-- Two passes whose radices are as nearly equal as n allows.
function applies(problem, device)
  return problem.kind == "c2c" and problem.points >= 16
end

function plans(problem, device)
  for r = math.floor(math.sqrt(problem.points)), 2, -1 do
    local s = problem.points // r
    if r * s == problem.points and s <= device.codelet_limit then return { { "stockham", s, r } } end
  end
  return {}
end

priority = 3
function applies(problem, device) return problem.kind == "c2c" and problem.rank == 1 end
function plans(problem, device)
  local n = problem.n[1]
  return { { "direct", n }, { "stockham", 4, n // 4, lanes = device.lanes } }
end

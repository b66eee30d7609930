-- One straight-line codelet does the whole transform.
priority = 1

function applies(problem, device)
  return problem.kind == "c2c" and problem.rank == 1 and problem.points <= device.codelet_limit
end

function plans(problem, device)
  return { { "direct", problem.points } }
end

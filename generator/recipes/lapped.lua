-- mdct and imdct: a fold of the samples, and a cosine transform of type IV.
priority = 2

function applies(problem, device)
  return (problem.kind == "mdct" or problem.kind == "imdct") and problem.rank == 1
end

function plans(problem, device)
  local result = {}
  for _, child in ipairs(fft.plans(problem.points, "dct4")) do
    if #result < 4 then table.insert(result, { "fold", child }) end
  end
  return result
end

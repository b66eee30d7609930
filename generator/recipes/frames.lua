-- Frames of a signal: the plans of one.
priority = 2

function applies(problem, device)
  return problem.frames
end

function plans(problem, device)
  local result = {}
  for _, child in ipairs(fft.plans(problem.n[2], problem.line_kind[2])) do
    if child[1] ~= "four-step" and #result < 4 then table.insert(result, { "frames", child }) end
  end
  return result
end

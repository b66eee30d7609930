-- One straight-line codelet does the whole transform: small lengths, and primes
-- as far as codelets go.
priority = 1

local MAX_POINTS = 64

function applies(problem, device)
  local n = problem.points
  if problem.rank ~= 1 or n > device.codelet_limit then return false end
  if problem.kind ~= "c2c" then return problem.kind ~= "conv" end
  return n <= MAX_POINTS or #fft.factor(n) == 1
end

function plans(problem, device)
  return { { "direct", problem.points } }
end

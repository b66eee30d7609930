-- One straight-line codelet does the whole transform: small lengths, and primes
-- as far as codelets go.
priority = 1

local MAX_POINTS = 64
local GPU_POINTS = 56 -- of composites: longer ones need more registers than a thread has

-- On GPUs four threads hold what crowds one (parts).
local CROWDED = { [2] = 160, [4] = 180 }
local OTHER_REGISTERS = 60

local function is_shared_out(problem, device)
  local n, words = problem.points, problem.compute == "f64" and 4 or 2
  if not device.gpu or problem.kind ~= "c2c" or problem.child or #fft.factor(n) > 1 then return false end
  return words * n > CROWDED[words] and words * n / 4 + OTHER_REGISTERS <= device.registers
end

function applies(problem, device)
  local n = problem.points
  if problem.rank ~= 1 or n > device.codelet_limit or is_shared_out(problem, device) then return false end
  if problem.kind ~= "c2c" then return problem.kind ~= "conv" end
  local most = device.gpu and not problem.child and GPU_POINTS or MAX_POINTS
  return n <= most or #fft.factor(n) == 1
end

function plans(problem, device)
  return { { "direct", problem.points } }
end

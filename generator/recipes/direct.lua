-- One straight-line codelet does the whole transform: small lengths, and primes
-- as far as codelets go.
priority = 1

local MAX_POINTS = 64 -- of composites: passes of two codelets are shorter code, and as fast
local COMPOSED = { conv = true, rconv = true, mdct = true, imdct = true } -- of other transforms
local GPU_POINTS = fft.limit("thread_codelet")

-- On GPUs several threads hold what crowds one (parts).
local function is_shared_out(problem)
  return problem.kind == "c2c" and not problem.child and (fft.holders(problem.points) or 1) > 1
end

function applies(problem, device)
  local n = problem.points
  if problem.rank ~= 1 or n > device.codelet_limit or is_shared_out(problem) then return false end
  if problem.kind ~= "c2c" then return not COMPOSED[problem.kind] end
  local most = device.gpu and not problem.child and GPU_POINTS or MAX_POINTS
  return n <= most or #fft.factor(n) == 1
end

function plans(problem, device)
  return { { "direct", problem.points } }
end

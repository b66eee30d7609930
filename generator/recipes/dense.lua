-- On GPUs: a prime whose numbers fill a thread's registers, shared out to four: real and
-- imaginary parts, sums and differences. By itself, or innermost in a longer transform, there also if one thread's registers
-- would hold it: beside other passes they do not.
priority = 1

-- Transforms of a block: whole warps of each kind, some 200 threads, if there is room.
local GROUPS = { 48, 64, 32, 16, 8, 4 }
local TAKEN = 3 -- the largest that have room: others are slower in all that was timed

local BESIDE, BESIDE_F64 = fft.limit("thread_prime"), fft.limit("thread_prime_f64")

local function words(problem) return problem.compute == "f64" and 4 or 2 end

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 then return false end
  if problem.points > device.codelet_limit then return false end
  local holders, beside = fft.holders(problem.points), problem.compute == "f64" and BESIDE_F64 or BESIDE
  return (holders or 1) > 1 or (holders and problem.child and problem.points > beside)
end

function plans(problem, device)
  local result = {}
  if problem.child then return { { "dense", problem.points } } end
  for _, group in ipairs(GROUPS) do
    local room = 4 * words(problem) * problem.points * group <= device.local_bytes / 2
    if room and #result < TAKEN then
      table.insert(result, { "dense", problem.points, threads = fft.holders(problem.points), group = group })
    end
  end
  return result
end

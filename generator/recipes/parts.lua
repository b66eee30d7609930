-- On GPUs: a prime whose numbers fill a thread's registers, shared out to four: real and
-- imaginary parts, sums and differences.
priority = 1

-- Registers of one thread that holds all, by the words of a number: where they are fewer,
-- one codelet waits for little.
local CROWDED = { [2] = 160, [4] = 180 }
local OTHER_REGISTERS = 60      -- beside half of one part
local THREADS = 4               -- of a transform
-- Transforms of a block: whole warps of each kind, some 200 threads, if there is room.
local GROUPS = { 48, 64, 32, 16, 8, 4 }
local TAKEN = 3

local function words(problem) return problem.compute == "f64" and 4 or 2 end

function applies(problem, device)
  local n = problem.points
  if not device.gpu or problem.kind ~= "c2c" or problem.rank ~= 1 or problem.child then return false end
  if n < 3 or n > device.codelet_limit or #fft.factor(n) > 1 then return false end
  return words(problem) * n > CROWDED[words(problem)] and words(problem) * n / 4 + OTHER_REGISTERS <= device.registers
end

function plans(problem, device)
  local result = {}
  for _, group in ipairs(GROUPS) do
    local room = 4 * words(problem) * problem.points * group <= device.local_bytes / 2
    if room and #result < TAKEN then
      table.insert(result, { "parts", problem.points, threads = THREADS, group = group })
    end
  end
  return result
end

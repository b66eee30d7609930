-- Transforms that do not fit near memory: n = n1 n2, columns and rows in tiles, the
-- large memory passed twice (Bailey's four-step method). On GPUs whatever a block
-- cannot hold; on CPUs from the sizes on where caches run out.
priority = 3

local CPU_LEAST = 1 << 18  -- points
local CPU_MOST = 1 << 26   -- points of all transforms: the workspace has room for all
local SEGMENT = 128        -- bytes that GPUs move at once
local MOST_SPLITS = 3
local MOST_FACTOR = 127

local function element_bytes(problem) return problem.precision == "f64" and 16 or 8 end

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.child or n < 64 then return false end
  local primes = fft.factor(n)
  if primes[#primes] > MOST_FACTOR then return false end
  if device.gpu then return n * element_bytes(problem) > device.local_bytes / 2 end
  return n >= CPU_LEAST and n * problem.batch <= CPU_MOST
end

-- Divisors n1 of n, nearest to the square root first; both factors multiples of
-- `unit` before others.
local function splits(n, unit)
  local list = {}
  for d = 2, math.floor(math.sqrt(n)) do
    if n % d == 0 then
      table.insert(list, d)
      if n // d ~= d then table.insert(list, n // d) end
    end
  end
  local root = math.sqrt(n)
  local function misfit(d)
    local bad = (d % unit ~= 0 and 1 or 0) + (n // d % unit ~= 0 and 1 or 0)
    return bad * 100 + math.abs(math.log(d / root)) + (d < root and 0.1 or 0)
  end
  table.sort(list, function(a, b) return misfit(a) < misfit(b) end)
  return list
end

local function simple_plan(n)
  for _, plan in ipairs(fft.plans(n)) do
    if plan[1] == "stockham" or plan[1] == "direct" then return plan end
  end
end

function plans(problem, device)
  local result = {}
  local unit = device.gpu and SEGMENT // element_bytes(problem) or device.lanes
  for _, n1 in ipairs(splits(problem.points, unit)) do
    if #result == MOST_SPLITS then break end
    local columns, rows = simple_plan(n1), simple_plan(problem.points // n1)
    if columns and rows then table.insert(result, { "four-step", columns, rows }) end
  end
  return result
end

-- Transforms of reals on GPUs whose length has no even factors, or a prime that real passes do not reach, or that no block
-- holds where no two even sides make a matrix: by those of complex numbers, whatever these take.
priority = 4

local SMOOTH = 31
local TAKEN = 12

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "r2c" or problem.rank ~= 1 or problem.child or not device.gpu or n <= device.codelet_limit then
    return false
  end
  local primes, real = fft.factor(n), problem.precision == "f64" and 8 or 4
  return n % 2 == 1 or primes[#primes] > SMOOTH or (n % 4 ~= 0 and n * real > device.local_bytes)
end

-- Columns and rows, here or in a convolution.
local function is_split(plan)
  return plan[1] == "four-step" or type(plan[#plan]) == "table" and plan[#plan][1] == "four-step"
end

-- Parameters of the whole plan stand with the whole plan.
local OF_PARTS = { cluster = true, tile = true, rows = true, resident = true }

local function widened(child, split)
  local plan, inner = { "as-complex" }, {}
  for key, value in pairs(child) do
    local part = type(key) == "number" or split and OF_PARTS[key]
    if part then inner[key] = value else plan[key] = value end
  end
  plan[2] = inner
  return plan
end

function plans(problem, device)
  local result = {}
  for _, child in ipairs(fft.plans(problem.points, "c2c", true)) do
    if not child.queue and not child.copies and #result < TAKEN then table.insert(result, widened(child, is_split(child))) end
  end
  return result
end

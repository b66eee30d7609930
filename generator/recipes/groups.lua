-- Short transforms of a batch on GPUs, fewer of them a block than fill it: the fewer wait for each other, and the more
-- blocks compute while others load. And of few transforms as many a block as give each multiprocessor one.
priority = 3

local GROUPS, GROUPS_F64 = { 4, 2 }, { 2 } -- transforms a block
local GROUPS_LONG = { 2, 1 }
local SHORT_BYTES = 8192                   -- of a transform: longer ones are long
local MOST_SHORT = 3                       -- times as long: of longer ones blocks have one anyway
local LEAST_BYTES = 512                    -- shorter ones are a codelet or two
local MOST_PLANS = 6                       -- plans that are looked at
local MOST_SPREAD = 64                     -- transforms a block, of few
local LEAST_THREADS = 7                    -- of a transform, in the first pass: fewer load parts of sectors
local LEAST_LAST = 3                       -- last radix; and no larger than the first
-- In double, blocks of one warp wait for no other warp, and half of one loads as much (H200: 49 points by 14 threads 507 us, by
-- 224 549; 55 by 20 threads 509, by 10 575, by 40 525; 49 by a codelet each of 16 threads 524, of 128 608).
local HALF = (fft.machine.wave > 0 and fft.machine.wave or 32) // 2
local LEAST_WARP, CODELETS = HALF - HALF // 8, HALF

local function bytes_of(problem)
  return problem.points * (problem.compute == "f64" and 8 or 4) * (problem.kind == "c2c" and 2 or 1)
end

local function groups_of(problem)
  local bytes = bytes_of(problem)
  if bytes < LEAST_BYTES or bytes > MOST_SHORT * SHORT_BYTES or problem.kind == "c2r" then return {} end
  if bytes > SHORT_BYTES then return GROUPS_LONG end
  return problem.compute == "f64" and GROUPS_F64 or GROUPS
end

-- A power of two; nil: they fill the device anyway.
local function spread_of(problem)
  local all = fft.machine.multiprocessors
  if problem.batch_varies or all < 1 or problem.batch // all > MOST_SPREAD then return nil end
  local group = 1
  while 2 * group * all <= problem.batch do group = 2 * group end
  return group
end

function applies(problem, device)
  local kind = problem.kind
  local known = (kind == "c2c" or kind == "r2c" or kind == "c2r") and problem.rank == 1 and problem.batch_rank == 1
  local plain = problem.unit_in and problem.unit_out and not problem.child and not problem.frames
  if not (known and plain and device.gpu and problem.batch > 1) or bytes_of(problem) > MOST_SHORT * SHORT_BYTES then return false end
  return #groups_of(problem) > 0 or spread_of(problem) ~= nil
end

-- Radices like those that gained where they were measured (docs/lab/gpu-one-pass.md).
local function gains(plan, n)
  local passes = plan[1] == "real" and plan[3] or plan
  if passes[1] ~= "stockham" then return false end
  local first, last = passes[2], passes[#passes]
  return n // first >= LEAST_THREADS and last >= LEAST_LAST and last <= first
end

-- As few transforms as half of a warp takes; nil: a group that others have, too.
local function warp_of(plan, problem)
  if problem.compute ~= "f64" or problem.kind ~= "c2c" or #groups_of(problem) == 0 then return nil end
  if plan[1] == "direct" then return CODELETS end
  if plan[1] ~= "stockham" or plan[#plan] < LEAST_LAST or plan[#plan] > plan[2] then return nil end
  local group = 1
  while group * problem.points // plan[2] < LEAST_WARP do group = 2 * group end
  return group > GROUPS_F64[1] and group or nil
end

-- Primes and what has them as a factor: the recipes fill a block (H200: f64 191 points, 25 transforms a block 203 to 225 us,
-- two 179; 178 points 253, by four 215).
local OF_PRIMES = { ["rader"] = true, ["cooley-tukey"] = true }
local GROUPS_PRIMES, MOST_PRIMES = { 4, 2 }, 8

local function grouped(plan, group)
  local copy = {}
  for key, value in pairs(plan) do copy[key] = value end
  copy.group = group
  return copy
end

function plans(problem, device)
  local result, gaining, warped, primes, spread, group = {}, 0, 0, 0, 0, spread_of(problem)
  for _, plan in ipairs(fft.plans(problem.points, problem.kind, true)) do
    local plain = not plan.group and not plan.copies
    if plain and gains(plan, problem.points) and gaining < MOST_PLANS then
      gaining = gaining + 1
      for _, g in ipairs(groups_of(problem)) do table.insert(result, grouped(plan, g)) end
    end
    local few = plain and warped < MOST_PLANS and warp_of(plan, problem)
    if few then
      warped = warped + 1
      table.insert(result, grouped(plan, few))
    end
    if OF_PRIMES[plan[1]] and #groups_of(problem) > 0 and primes < MOST_PRIMES then
      primes = primes + 1
      for _, g in ipairs(GROUPS_PRIMES) do table.insert(result, grouped(plan, g)) end
    end
    if plain and group and spread < MOST_PLANS then
      spread = spread + 1
      table.insert(result, grouped(plan, group))
    end
  end
  return result
end

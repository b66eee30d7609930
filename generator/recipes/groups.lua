-- Short transforms of a batch on GPUs, fewer of them a block than fill it: the fewer wait for each other, and the more
-- blocks compute while others load.
priority = 3

local GROUPS, GROUPS_F64 = { 4, 2 }, { 2 } -- transforms a block
local GROUPS_LONG = { 2, 1 }
local SHORT_BYTES = 8192                   -- of a transform: longer ones are long
local MOST_SHORT = 3                       -- times as long: of longer ones blocks have one anyway
local LEAST_BYTES = 512                    -- shorter ones are a codelet or two
local MOST_PLANS = 6                       -- plans that are looked at
local LEAST_THREADS = 7                    -- of a transform, in the first pass: fewer load parts of sectors
local LEAST_LAST = 3                       -- last radix; and no larger than the first

local function bytes_of(problem)
  return problem.points * (problem.compute == "f64" and 8 or 4) * (problem.kind == "c2c" and 2 or 1)
end

local function groups_of(problem)
  if bytes_of(problem) > SHORT_BYTES then return GROUPS_LONG end
  return problem.compute == "f64" and GROUPS_F64 or GROUPS
end

function applies(problem, device)
  local kind = problem.kind
  local known = (kind == "c2c" or kind == "r2c") and problem.rank == 1 and problem.batch_rank == 1
  local plain = problem.unit_in and problem.unit_out and not problem.child and not problem.frames
  local bytes = bytes_of(problem)
  return known and plain and device.gpu and bytes >= LEAST_BYTES and bytes <= MOST_SHORT * SHORT_BYTES and problem.batch > 1
end

-- Radices like those that gained where they were measured (docs/lab/gpu-one-pass.md).
local function gains(plan, n)
  local passes = plan[1] == "real" and plan[3] or plan
  if passes[1] ~= "stockham" then return false end
  local first, last = passes[2], passes[#passes]
  return n // first >= LEAST_THREADS and last >= LEAST_LAST and last <= first
end

function plans(problem, device)
  local result, count = {}, 0
  for _, plan in ipairs(fft.plans(problem.points, problem.kind, true)) do
    if gains(plan, problem.points) and not plan.group and not plan.copies and count < MOST_PLANS then
      count = count + 1
      for _, group in ipairs(groups_of(problem)) do
        local copy = {}
        for key, value in pairs(plan) do copy[key] = value end
        copy.group = group
        table.insert(result, copy)
      end
    end
  end
  return result
end

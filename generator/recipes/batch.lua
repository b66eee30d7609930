-- Short transforms of a batch, several at a time, on CPUs: side by side as the lanes of vectors, or pass after pass over
-- a few of them, whose short loops become longer ones.
priority = 3

local SIDE_BY_SIDE, MOST_SETS = fft.limit("side_by_side_most"), 8
local TOGETHER, MOST_TOGETHER = fft.limit("together_points"), 4

function applies(problem, device)
  local kind = problem.kind
  local known = (kind == "c2c" or kind == "r2c" or kind == "c2r") and problem.rank == 1 and problem.batch_rank == 1
  local plain = not problem.split_in and not problem.split_out and problem.unit_in and problem.unit_out
  return known and plain and not device.gpu and device.lanes > 1 and not problem.child and not problem.alone and
         not problem.batch_varies and not problem.frames and problem.batch > 1
end

-- Of passes: those of codelets alone are lanes anyway.
local function passes_of(plan)
  return plan[1] == "stockham" or (plan[1] == "real" and plan[3][1] ~= "four-step")
end

local function text_of(plan)
  local parts = {}
  for _, part in ipairs(plan) do
    table.insert(parts, type(part) == "table" and text_of(part) or tostring(part))
  end
  return table.concat(parts, ",")
end

-- The same plan with other parameters.
local function with(plan, name, value, lanes)
  local copy = { table.unpack(plan) }
  copy[name], copy.lanes = value, lanes
  return copy
end

-- Complex numbers of a transform.
local function length_of(problem) return problem.kind == "c2c" and problem.points or problem.points // 2 + 1 end

local function side_by_side(problem, device, plans, result)
  local bytes = 2 * length_of(problem) * (problem.compute == "f64" and 8 or 4)
  local lanes, seen, count = device.lanes, {}, 0
  local reals = problem.kind ~= "c2c"
  if lanes * bytes > SIDE_BY_SIDE or problem.batch < lanes or (reals and problem.points % 2 == 1) then return end
  if problem.in_place and problem.batch % lanes > 0 then return end
  for _, plan in ipairs(plans) do
    local text = text_of(plan)
    if passes_of(plan) and not seen[text] and count < MOST_SETS then
      seen[text], count = true, count + 1
      table.insert(result, with(plan, "side_by_side", lanes))
    end
  end
end

local function together(problem, device, plans, result)
  local rows, count = math.min(TOGETHER // length_of(problem), problem.batch), 0
  while problem.in_place and rows > 1 and problem.batch % rows > 0 do rows = rows - 1 end
  for _, plan in ipairs(plans) do
    if rows > 1 and passes_of(plan) and count < MOST_TOGETHER then
      count = count + 1
      table.insert(result, with(plan, "rows", rows, plan.lanes))
    end
  end
end

function plans(problem, device)
  local result, plans = {}, fft.plans(problem.points, problem.kind, true)
  side_by_side(problem, device, plans, result)
  together(problem, device, plans, result)
  return result
end

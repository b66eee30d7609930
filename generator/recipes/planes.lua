-- Several dimensions on CPUs, the last one short: pictures. Vectors along the last but one would be gathered number by
-- number, and ones across it be nearly empty: the last one's numbers in planes, which the lines of the one before take one
-- after the other. Longer lines by tiles of all planes, and by nothing else where L2 does not hold these.
priority = 5

local MOST_PLANES = 16 -- complex numbers of a last dimension
local LINES = 4        -- plans of the dimension before it, of which as many are four-steps
local CHOICES = 3      -- of the last dimension
local FEW_ROWS = 8     -- radix of columns apart by powers of two: few share a set of the caches

local function planes_of(problem)
  local short = problem.n[problem.rank]
  return problem.kind == "c2c" and short or short // 2 + 1
end

function applies(problem, device)
  local known = problem.kind == "c2c" or problem.kind == "r2c" or problem.kind == "c2r"
  if device.gpu or not known or problem.rank < 2 or problem.frames or problem.n[problem.rank - 1] < 2 then return false end
  return planes_of(problem) > 1 and planes_of(problem) <= MOST_PLANES
end

-- One codelet of the last dimension, whose lines are the lanes.
local function short_lines(problem)
  for i, plan in ipairs(fft.plans(problem.n[problem.rank], problem.line_kind[problem.rank])) do
    if plan[1] == "direct" and i <= CHOICES then return plan end
  end
end

local function few_passes(n)
  local best
  for _, radices in ipairs(n > FEW_ROWS and fft.radices(n, FEW_ROWS) or {}) do
    if not best or #radices < #best then best = radices end
  end
  return best and { "stockham", table.unpack(best) }
end

-- Plans of the dimensions before the last two: the best, and where L2 is small also by few rows a pass.
local function columns_before(problem, device)
  local best, few = {}, {}
  for d = 1, problem.rank - 2 do
    for _, plan in ipairs(fft.plans(problem.n[d], "c2c")) do
      if not best[d] and plan[1] ~= "four-step" then best[d] = plan end
    end
    if not best[d] then return {} end
    few[d] = few_passes(problem.n[d]) or best[d]
  end
  return device.small_l2 and problem.rank > 2 and { best, few } or { best }
end

function plans(problem, device)
  local rank, result, short = problem.rank, {}, short_lines(problem)
  local before = short and columns_before(problem, device) or {}
  local function add(line, planes)
    for _, columns in ipairs(before) do
      local p = { "nd", table.unpack(columns) }
      p[rank], p[rank + 1], p.planes = line, short, planes
      table.insert(result, p)
    end
  end
  local whole, tiled = {}, 0
  for _, line in ipairs(fft.plans(problem.n[rank - 1], "c2c", true, rank - 1)) do
    if line[1] ~= "four-step" then
      whole[#whole + 1] = line
    elseif tiled < LINES then
      tiled = tiled + 1
      add(line, "together")
    end
  end
  local bytes = problem.n[rank - 1] * planes_of(problem) * (problem.compute == "f64" and 16 or 8)
  if tiled > 0 and bytes > device.cache[2] then return result end
  for i = 1, math.min(#whole, LINES) do
    add(whole[i], "together")
    add(whole[i], "apart")
  end
  return result
end

-- Several dimensions, one after the other: for each dimension the plans of its
-- length. All the best ones together, then each dimension's second choice. On GPUs
-- planes that a block or the blocks of a cluster can hold are one kernel.
priority = 5

local CHOICES = 3 -- plans of a dimension that are looked at
local PART = 32 << 10 -- bytes of a block of a cluster: several blocks a multiprocessor
local MOST_PART = 64 << 10
local RESIDENT = 4

function applies(problem, device)
  return problem.kind ~= "conv" and problem.rank > 1
end

-- The fewest blocks that hold a plane in usual parts, else the fewest that can.
local function cluster_of(problem, device)
  local rows, columns = problem.n[problem.rank - 1], problem.n[problem.rank]
  local bytes, found = rows * columns * (problem.precision == "f64" and 16 or 8)
  if not device.gpu or problem.kind ~= "c2c" or rows < 2 or columns < 2 then return end
  for c = 1, problem.in_place and 1 or math.max(device.cluster, 1) do
    if rows % c == 0 and columns % c == 0 then
      if bytes <= c * PART then return c end
      if bytes <= c * MOST_PART and not found then found = c end
    end
  end
  return found
end

function plans(problem, device)
  local list = {}
  local half = problem.kind == "r2c" or problem.kind == "c2r"
  for d = 1, problem.rank do
    list[d] = {}
    local kind = half and d < problem.rank and "c2c" or problem.kind
    for _, child in ipairs(fft.plans(problem.n[d], kind)) do
      -- Its workspaces have no form under other dimensions.
      if child[1] ~= "four-step" and #list[d] < CHOICES then table.insert(list[d], child) end
    end
    if #list[d] == 0 then return {} end
  end
  local function plan(dimension, choice)
    local p = { "nd" }
    for d = 1, problem.rank do
      p[d + 1] = list[d][d == dimension and choice or 1]
    end
    return p
  end
  local result = { plan(0, 1) }
  local cluster = cluster_of(problem, device)
  if cluster then
    local p = plan(0, 1)
    p.cluster, p.resident = cluster, cluster > 1 and RESIDENT or 0
    table.insert(result, 1, p)
  end
  for d = 1, problem.rank do
    for c = 2, #list[d] do table.insert(result, plan(d, c)) end
  end
  return result
end

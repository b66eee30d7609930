-- Several dimensions, one after the other: for each dimension the plans of its
-- length. All the best ones together, then each dimension's second choice. On GPUs
-- planes that a block or the blocks of a cluster can hold are one kernel; where blocks may
-- stay, rows and columns of larger ones go through a queue, or small planes and the dimension before them.
priority = 5

local CHOICES = 3 -- plans of a dimension that are looked at
local PART = 32 << 10 -- bytes of a block of a cluster: several blocks a multiprocessor
local MOST_PART = 64 << 10
local RESIDENT = 4
local QUEUE_BLOCK = 64 << 10 -- bytes of a block of a queue of rows and columns,
local QUEUE_RESIDENT = 2     -- so many a multiprocessor
local QUEUE_TILE = 64        -- bytes of a row that lie together, at least
local QUEUE_RING = 26 << 20  -- bytes between its kernels, at least: half of the second cache,
local QUEUE_MOST = 32 << 20  -- and at most
local QUEUE_SLOTS = 256
local LEAST_RING = 3
local ROW_RADIX = 40         -- of rows and columns: few passes; of planes in one block: a first radix in one turn
local PLANE_RADIX = 20
local F64_RADIX = 16
local THREAD_POINTS = 32     -- of rows and columns, in double those of a radix
local REGISTERS = 64 << 10   -- of a multiprocessor, and of a thread of such planes
local PLANE_REGISTERS = 64

function applies(problem, device)
  return problem.kind ~= "conv" and problem.rank > 1
end

local function element_bytes(problem) return problem.precision == "f64" and 16 or 8 end

-- The fewest blocks that hold a plane in usual parts, else the fewest that can.
local function cluster_of(problem, device, usual)
  local rows, columns = problem.n[problem.rank - 1], problem.n[problem.rank]
  local bytes, found = rows * columns * element_bytes(problem)
  if not device.gpu or problem.kind ~= "c2c" or rows < 2 or columns < 2 then return end
  for c = 1, problem.in_place and 1 or math.max(device.cluster, 1) do
    if rows % c == 0 and columns % c == 0 then
      if bytes <= c * PART then return c end
      if bytes <= c * MOST_PART and not found and not usual then found = c end
    end
  end
  return found
end

-- How many of so many bytes go round; nil: too few, or they are too large.
local function ring_of(problem, bytes, count)
  local ring = math.min(math.max(LEAST_RING, -(-QUEUE_RING // bytes)), QUEUE_SLOTS)
  if ring * bytes <= QUEUE_MOST and count >= 2 * ring then return ring end
end

-- The first of the fewest passes: radices as equal as can be, or the first as large.
local function passes(n, most, equal)
  local best, least
  for _, radices in ipairs(fft.radices(n, most)) do
    local cost = #radices * 1000 + (equal and radices[1] - radices[#radices] or -radices[1])
    if not least or cost < least then best, least = { "stockham", table.unpack(radices) }, cost end
  end
  return best
end

local function with_passes(problem, most, equal)
  local p = { "nd" }
  for d = 1, problem.rank do
    p[d + 1] = passes(problem.n[d], problem.precision == "f64" and F64_RADIX or most, equal)
    if not p[d + 1] then return end
  end
  return p
end

local function may_queue(problem, device)
  return device.queue and problem.kind == "c2c" and (problem.precision == "f32" or problem.precision == "f64")
end

-- The last dimension's rows and the first one's columns, whose planes go round.
local function line_queue(problem, device)
  local columns, rows, element = problem.n[1], problem.n[problem.rank], element_bytes(problem)
  local plane = columns * rows
  local ring = plane * element > device.local_bytes and ring_of(problem, plane * element, problem.points // plane * problem.batch)
  local tile, lines = QUEUE_BLOCK // (columns * element), QUEUE_BLOCK // (rows * element)
  if not ring or tile * element < QUEUE_TILE or lines < 1 or rows % tile > 0 or columns % lines > 0 then return end
  local p = with_passes(problem, ROW_RADIX, true)
  if not p then return end
  local each, wanted = p[problem.rank + 1][2], element == 8 and THREAD_POINTS or p[problem.rank + 1][2]
  if wanted % each == 0 then each = wanted elseif each > wanted then each = p[problem.rank + 1][3] or each end
  p.tile, p.rows, p.threads = tile, lines, math.max(tile * columns, lines * rows) // each
  p.resident, p.products, p.queue = QUEUE_RESIDENT, 2, ring
  return p
end

-- Planes in a block each, then the first dimension: whole transforms go round.
local function plane_queue(problem, device)
  if problem.rank ~= 3 then return end
  local n, element = problem.n, element_bytes(problem)
  local points = n[2] * n[3]
  local ring = 2 * points * element <= device.local_bytes and ring_of(problem, problem.points * element, problem.batch)
  local tile = points // n[1]
  if not ring or n[3] % tile > 0 or tile * element < QUEUE_TILE then return end
  local p = with_passes(problem, PLANE_RADIX, false)
  if not p then return end
  local threads = points // p[3][2]
  p.cluster, p.tile, p.threads, p.products, p.queue = 1, tile, threads, 2, ring
  p.resident = math.max(1, REGISTERS // (threads * PLANE_REGISTERS * element // 8))
  p.lag = math.max(n[1], ring * n[1] * 5 // 8)
  return p
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
  local result, queues = { plan(0, 1) }, {}
  if may_queue(problem, device) then
    for _, queue in ipairs({ line_queue, plane_queue }) do queues[#queues + 1] = queue(problem, device) end
  end
  local cluster = cluster_of(problem, device, #queues > 0)
  if cluster then
    local p = plan(0, 1)
    p.cluster, p.resident = cluster, cluster > 1 and RESIDENT or 0
    table.insert(result, 1, p)
  end
  for _, p in ipairs(queues) do table.insert(result, p) end
  for d = 1, problem.rank do
    for c = 2, #list[d] do table.insert(result, plan(d, c)) end
  end
  return result
end

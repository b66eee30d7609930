-- The search space of `fftgen tune`: what is tried beside the plans of the recipes.
--
-- Each rule has a name - a parameter of plans (`fftgen plan --help`), or `isa`,
-- `compiler`, `plans` - and the values that are worth a try where `when` holds.
-- Rules work one after the other, each on all that those before it have made;
-- what a plan says already is left as it is. Rules with `around` change the fastest
-- of those alone, one thing at a time. docs/tuning.md has the fields.
candidates = 96 -- that are looked at, the best by the model first

local KIB = 1024
-- Rules of the emitter (`fftgen help parameters`) that a plan may overrule: the likeliest first.
local OPTIONS = { "interleave_stores", "split_stores", "software_pipeline", "compiler_schedule", "list_schedule" }
local OPTIONS_OF_FEW_REGISTERS = {
  "interleave_stores", "addsub", "list_schedule", "split_stores", "software_pipeline", "compiler_schedule",
}

local function on_gpu(problem, device) return device.gpu end

-- What a parameter may be beside what it is: its usual value where the plan does not say.
local function others(now, values)
  local list = {}
  for _, value in ipairs(values) do
    if value ~= now then table.insert(list, value) end
  end
  return list
end

local function on_vectors(problem, device) return not device.gpu and device.lanes > 1 end

-- Input and output of one call.
local function array_bytes(problem)
  return 2 * problem.points * problem.batch * (problem.precision == "f64" and 16 or 8)
end

local function is_packable(problem, device)
  return on_vectors(problem, device) and device.lanes >= 4 and problem.kind == "c2c" and problem.rank == 1
    and not problem.split_in and not problem.split_out
end

-- A convolution's transforms, too.
local function in_clusters(plan)
  if plan[1] == "bluestein" or plan[1] == "rader" then plan = plan[3] end
  return plan[1] == "four-step" and (plan.cluster or plan[2].cluster)
end

-- Convolutions beyond a block, as three kernels in one queue: blocks of so many bytes, so many at once, and a ring.
local QUEUE_BLOCKS, QUEUE_RING = { { 32 * KIB, 4 }, { 64 * KIB, 2 } }, 18 * KIB * KIB
local QUEUE_POINTS = 16 -- of a thread, in the smaller blocks

local function length_of(side)
  local n = 1
  for i = 2, #side do n = n * side[i] end
  return n
end

local function divisor(n, most)
  for d = math.min(n, most), 1, -1 do
    if n % d == 0 then return d end
  end
end

local function in_one_queue(problem, device, plan)
  local element, list = problem.precision == "f64" and 16 or 8, {}
  local flat = problem.rank == 1
  local sides = flat and plan[2] or { "", plan[2], plan[3][2] }
  local n1, n2, ring = length_of(sides[2]), length_of(sides[3]), math.max(3, QUEUE_RING // (problem.points * element))
  for _, block in ipairs(problem.batch >= 2 * ring and QUEUE_BLOCKS or {}) do
    local tile, rows = divisor(n2, block[1] // (n1 * element)), divisor(n1, block[1] // (n2 * element))
    if tile and rows then
      local threads = 32 * KIB // element // QUEUE_POINTS
      local p = { plan[1], threads = threads, products = "on", queue = ring, deferred_wait = "next" }
      p.prefetch_distance = ring // 3 * (n2 // tile)
      local inner = flat and { "four-step", sides[2], sides[3] } or p
      inner.tile, inner.rows, inner.resident = tile, rows, block[2]
      if flat then p[2] = inner else p[2], p[3] = plan[2], { "convolve", sides[3] } end
      table.insert(list, p)
    end
  end
  return list
end

local function is_of_passes(side) return type(side) == "table" and side[1] == "stockham" and #side > 2 end

local function may_be_in_one_queue(problem, device, plan)
  if not device.gpu or not device.queue or problem.kind ~= "conv" or plan.queue then return false end
  if problem.rank == 2 then
    return plan[1] == "nd" and is_of_passes(plan[2]) and plan[3][1] == "convolve" and is_of_passes(plan[3][2])
  end
  local split = plan[1] == "convolve" and plan[2]
  return split and split[1] == "four-step" and is_of_passes(split[2]) and is_of_passes(split[3])
end

local function copy(plan)
  local p = {}
  for key, value in pairs(plan) do p[key] = value end
  return p
end

local function with(plan, key, value)
  local p = copy(plan)
  p[key] = value
  return p
end

-- Other orders of radices than the recipe's: the smallest first, and the largest
-- last but one, which decide how long the runs of columns are.
local function orders(plan)
  local reversed, turned = copy(plan), copy(plan)
  for i = 2, #plan do reversed[i], turned[i] = plan[#plan + 2 - i], plan[i > 2 and i - 1 or #plan] end
  return #plan > 3 and { reversed, turned } or { reversed }
end

-- Of the plan's passes, or of one of its parts.
local function other_orders(problem, device, plan)
  if plan[1] == "stockham" then return orders(plan) end
  local list = {}
  for i, part in ipairs(plan) do
    if type(part) == "table" and part[1] == "stockham" and #part > 2 then
      for _, order in ipairs(orders(part)) do
        local whole = copy(plan)
        whole[i] = order
        table.insert(list, whole)
      end
    end
  end
  return list
end

rules = {
  -- Narrower vectors raise no clock limits and waste less on short runs.
  {
    name = "isa",
    when = function(problem, device) return on_vectors(problem, device) end,
    values = function(problem, device) return { device.narrower[1] } end,
  },
  {
    name = "plans",
    when = function(problem, device, plan)
      local passes = plan[1] ~= "stockham" or #plan > 2
      return not device.gpu and passes and problem.points <= 1 << 17
    end,
    values = other_orders,
  },
  -- Vectors of pairs shuffle less where transforms are short; batches of odd
  -- lengths are for the measurement to decide. Longer ones in their first pass.
  {
    name = "complex_vectors",
    when = function(problem, device, plan)
      return is_packable(problem, device) and (plan[1] == "stockham" or plan[1] == "direct")
        and (problem.points <= 1024 or (plan[1] == "stockham" and problem.points <= 1 << 15))
    end,
    values = function(problem, device, plan)
      if plan[1] == "direct" then return { "split", "interleaved" } end
      return problem.points <= 1024 and { "split", "interleaved", "first" } or { "split", "first" }
    end,
  },
  -- Another compiler orders and spills otherwise.
  { name = "compiler", around = true, values = function(problem, device) return device.compilers end },
  -- Rules of the emitter that decide by thresholds are wrong here and there: each of them on and off. One of the two
  -- gives the text that is there already, and is not measured.
  {
    name = "plans",
    around = true,
    when = on_vectors,
    values = function(problem, device, plan)
      local list = {}
      for _, option in ipairs(device.registers <= 16 and OPTIONS_OF_FEW_REGISTERS or OPTIONS) do
        table.insert(list, with(plan, option, "on"))
        table.insert(list, with(plan, option, "off"))
      end
      if device.isa == "avx2" then table.insert(list, with(plan, "lane_order", "off")) end
      return list
    end,
  },
  -- The output as scratch, and passes in place, keep less in cache, and write it more often.
  {
    name = "reuse",
    around = true,
    when = function(problem, device, plan)
      return not device.gpu and plan[1] == "stockham" and #plan > 3 and array_bytes(problem) >= 64 * KIB
        and problem.batch == 1 and not problem.in_place
    end,
    values = { "off", "output", "in_place" },
  },
  -- Stores past the caches: where arrays outgrow L2.
  {
    name = "stream",
    around = true,
    when = function(problem, device)
      return on_vectors(problem, device) and array_bytes(problem) > 2 * device.cache[2] and not problem.in_place
    end,
    values = function(problem)
      return array_bytes(problem) >= 128 * KIB * KIB and { "auto", "off" } or { "auto", "on" }
    end,
  },
  -- Two passes of a tile together: where it is large.
  {
    name = "fuse_loops",
    around = true,
    when = function(problem, device, plan)
      return on_vectors(problem, device) and plan[1] == "four-step" and array_bytes(problem) > 2 * device.cache[2]
    end,
    values = { "auto", "off" },
  },
  {
    name = "tile",
    around = true,
    when = function(problem, device, plan) return not device.gpu and plan[1] == "four-step" end,
    values = { 0, 32, 128 },
  },
  {
    name = "rows",
    around = true,
    when = function(problem, device, plan) return not device.gpu and plan[1] == "four-step" end,
    values = { 0, 32, 128 },
  },
  -- GPUs: what the model ranks are the recipes' plans as they are; all of this is tried around the fastest.
  --
  -- Blocks: more threads hide more, fewer leave each of them more registers.
  { name = "plans", around = true, when = on_gpu, values = other_orders },
  { name = "plans", when = may_be_in_one_queue, values = in_one_queue },
  {
    name = "threads",
    around = true,
    when = function(problem, device) return device.gpu and problem.points >= 64 end,
    values = function(problem, device, plan) return others(plan.threads or 0, { 0, 128, 256, 64, 512, 192, 384 }) end,
  },
  {
    name = "resident",
    around = true,
    when = on_gpu,
    values = function(problem, device, plan) return others(plan.resident or 0, { 0, 2, 3, 4, 6, 8 }) end,
  },
  {
    name = "group",
    around = true,
    when = function(problem, device, plan) return device.gpu and problem.points <= 4096 and problem.batch > 1 end,
    values = function(problem, device, plan) return others(plan.group or 0, { 0, 2, 4, 8, 16, 1, 32 }) end,
  },
  -- Rows that are loaded and stored whole, where there are engines for that (with clusters).
  {
    name = "bulk",
    around = true,
    when = function(problem, device, plan)
      local rows = problem.rank == 1 and problem.batch > 1 and not problem.in_place
      return device.gpu and device.cluster > 1 and rows and (plan[1] == "stockham" or plan[1] == "real") and not plan.copies
    end,
    values = function(problem, device, plan) return others(plan.bulk or "off", { "both", "shared", "off", "separate" }) end,
  },
  {
    name = "persistent",
    around = true,
    when = function(problem, device, plan) return device.gpu and plan.bulk ~= nil end,
    values = function(problem, device, plan) return others(plan.persistent or 1, { 0, 1, 2, 4 }) end,
  },
  {
    name = "copies",
    around = true,
    when = function(problem, device, plan) return device.gpu and problem.batch > 1 and not plan.bulk end,
    values = function(problem, device, plan) return others(plan.copies or "off", { "on", "off" }) end,
  },
  -- Kernels that fftgen translates to PTX, as C++ for the compiler's own translation.
  {
    name = "assembly",
    around = true,
    when = on_gpu,
    values = function(problem, device, plan) return others(plan.assembly or "auto", { "off" }) end,
  },
  -- Twiddle factors: from memory, or multiplied.
  {
    name = "products",
    around = true,
    when = on_gpu,
    values = function(problem, device, plan) return others(plan.products or "auto", { "on", "off", "auto" }) end,
  },
  {
    name = "steps",
    around = true,
    when = on_gpu,
    values = function(problem, device, plan) return others(plan.steps or "off", { "inner", "off", "all" }) end,
  },
  -- Numbers from thread to thread of a warp: by shuffles or through shared memory, the other way than the machine's.
  {
    name = "shuffles",
    around = true,
    when = function(problem, device, plan)
      return device.gpu and plan[1] == "stockham" and problem.points & (problem.points - 1) == 0
    end,
    values = function(problem, device, plan) return others(plan.shuffles or "auto", { "other" }) end,
  },
  -- Two passes: in clusters or through memory, in tiles.
  {
    name = "cluster",
    around = true,
    when = function(problem, device, plan) return device.gpu and device.cluster > 1 and plan[1] == "four-step" end,
    values = function(problem, device, plan) return others(plan.cluster or 0, { 8, 16, 4, 2, 0 }) end,
  },
  {
    name = "tile",
    around = true,
    when = function(problem, device, plan) return device.gpu and (plan[1] == "four-step" or plan[1] == "nd") end,
    values = function(problem, device, plan) return others(plan.tile or 0, { 0, 16, 8, 32, 64 }) end,
  },
  {
    name = "rows",
    around = true,
    when = function(problem, device, plan) return device.gpu and (plan[1] == "four-step" or plan[1] == "nd") end,
    values = function(problem, device, plan) return others(plan.rows or 0, { 0, 16, 8, 32, 64 }) end,
  },
  {
    name = "frequency",
    around = true,
    when = function(problem, device, plan) return device.gpu and plan[1] == "four-step" end,
    values = function(problem, device, plan) return others(plan.frequency or "off", { "on", "off" }) end,
  },
  -- Clusters: twice the memory, and no waiting to store; else where a codelet's registers are best held is for
  -- compilers to decide.
  {
    name = "separate_buffers",
    around = true,
    when = function(problem, device, plan) return device.gpu and in_clusters(plan) end,
    values = function(problem, device, plan) return others(plan.separate_buffers or "off", { "on", "off" }) end,
  },
  {
    name = "deferred_store",
    around = true,
    when = function(problem, device, plan)
      return device.gpu and in_clusters(plan) and plan.separate_buffers ~= "on"
    end,
    values = function(problem, device, plan) return others(plan.deferred_store or "off", { "on", "off" }) end,
  },
  {
    name = "cluster_scheduling",
    around = true,
    when = function(problem, device, plan) return device.gpu and in_clusters(plan) end,
    values = function(problem, device, plan)
      return others(plan.cluster_scheduling or "default", { "load_balancing", "default" })
    end,
  },
  -- A ring between two kernels in one.
  {
    name = "queue",
    around = true,
    when = function(problem, device, plan) return device.gpu and (plan.queue or 0) > 0 end,
    values = function(problem, device, plan)
      local now = plan.queue
      return { now * 2 <= 256 and now * 2 or 256, now // 2 > 0 and now // 2 or 1, now + (now + 3) // 4, 0 }
    end,
  },
  {
    name = "swap",
    around = true,
    when = function(problem, device, plan) return device.gpu and (plan.queue or 0) > 0 end,
    values = function(problem, device, plan) return others(plan.swap or "off", { "on", "discard", "off" }) end,
  },
  {
    name = "deferred_wait",
    around = true,
    when = function(problem, device, plan) return device.gpu and (plan.queue or 0) > 0 end,
    values = function(problem, device, plan) return others(plan.deferred_wait or "off", { "store", "next", "off" }) end,
  },
  {
    name = "evict_last",
    around = true,
    when = function(problem, device, plan) return device.gpu and (plan.queue or 0) > 0 end,
    values = function(problem, device, plan) return others(plan.evict_last or "off", { "on", "off" }) end,
  },
  -- Two kernels read in strides: whose neighbours' segments may be loaded with their own.
  {
    name = "l2_prefetch",
    around = true,
    when = function(problem, device, plan) return device.gpu and plan[1] == "four-step" and not problem.in_place end,
    values = function(problem, device, plan) return others(plan.l2_prefetch or "off", { "on", "off" }) end,
  },
}

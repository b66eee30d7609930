-- Transforms of reals on GPUs whose length has no even factors, or a prime that real passes do not reach, or that no block
-- holds: by those of complex numbers, whatever these take. Two transforms are the parts of one (paired), which is half the
-- work, in a batch whose number is known; else imaginary parts are zero (as-complex).
priority = 4

local SMOOTH = 31
local TAKEN = 12
local SPARE = 3 -- of as-complex, where operations on elements are in the way of pairs

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "r2c" or problem.rank ~= 1 or problem.child or not device.gpu or n <= device.codelet_limit then
    return false
  end
  local primes, real = fft.factor(n), problem.precision == "f64" and 8 or 4
  return n % 2 == 1 or primes[#primes] > SMOOTH or n * real > device.local_bytes
end

-- Columns and rows, here or in a convolution.
local function is_split(plan)
  return plan[1] == "four-step" or type(plan[#plan]) == "table" and plan[#plan][1] == "four-step"
end

-- Parameters of the whole plan are written once, behind the whole plan.
local OF_PARTS = { cluster = true, tile = true, rows = true, uneven = true, resident = true }

-- These are of kernels that all of the plan would have to be.
local function is_taken(plan) return not plan.queue and not plan.copies end

local function widened(step, child, split)
  local plan, inner = { step }, {}
  for key, value in pairs(child) do
    local part = type(key) == "number" or split and OF_PARTS[key]
    if part then inner[key] = value else plan[key] = value end
  end
  plan[2] = inner
  return plan
end

local function has_pairs(problem)
  return problem.batch_rank == 1 and not problem.batch_varies and problem.batch > 1 and not problem.in_place
end

-- A step and the one inside it.
local function family(plan)
  local inner = plan[#plan]
  return plan[1] .. (type(inner) == "table" and " " .. inner[1] or "")
end

local function spelled(plan)
  local words = {}
  for _, word in ipairs(plan) do table.insert(words, type(word) == "table" and spelled(word) or tostring(word)) end
  return table.concat(words, " ")
end

-- Tiles before passes through memory, which are what else there is beyond a block's; then one of each family in turns.
-- Of those that differ in parameters alone the first: tuning tries others.
local function children(problem)
  local list, families, members, longest, seen = {}, {}, {}, 0, {}
  for _, child in ipairs(fft.plans(problem.points, "c2c", true)) do
    local name, words = family(child), spelled(child) .. (child.products and "" or " tables")
    if is_split(child) then
      table.insert(list, child)
    elseif not seen[words] then
      seen[words] = true
      if not members[name] then
        members[name] = {}
        table.insert(families, name)
      end
      table.insert(members[name], child)
      longest = math.max(longest, #members[name])
    end
  end
  for turn = 1, longest do
    for _, name in ipairs(families) do table.insert(list, members[name][turn]) end
  end
  return list
end

function plans(problem, device)
  local result, two, taken = {}, has_pairs(problem), 0
  for _, child in ipairs(children(problem)) do
    local split = is_split(child)
    if is_taken(child) and taken < TAKEN then
      taken = taken + 1
      if two then table.insert(result, widened("paired", child, split)) end
      if not two or taken <= SPARE then table.insert(result, widened("as-complex", child, split)) end
    end
  end
  return result
end

-- Transforms of reals on CPUs, from the sizes on where caches run out: a complex matrix
-- whose rows are taken in pairs, in tiles; its last pass is one of real radix R.
priority = 3

local LEAST = fft.limit("tiles_from")
local LEAST_UNEVEN = fft.limit("tiles_uneven_from")
local MOST = 2 * fft.limit("workspace_points") -- reals
local MOST_FACTOR = 31    -- longest prime of a first radix that turns in registers
local MOST_RADIX = 32     -- of reals, and of rows: one codelet
local LEAST_RADIX = 6     -- of smaller ones more passes are needed
local MOST_UNEQUAL = fft.limit("unequal_sides") -- a column over a row of all transforms
local PART = 1            -- of misfit: columns or pairs that are no whole vectors
local MOST_PLANS = 6      -- that are timed, the most even ones
local MOST_ROW = 1024     -- points of rows by passes, where one codelet would leave columns too long

local function real_bytes(problem) return problem.precision == "f64" and 8 or 4 end

function applies(problem, device)
  local n = problem.points
  if (problem.kind ~= "r2c" and problem.kind ~= "c2r") or problem.rank ~= 1 or problem.child then return false end
  if device.gpu or n % 2 ~= 0 or n * problem.batch > MOST or n * real_bytes(problem) < LEAST then return false end
  local primes = fft.factor(n)
  return primes[#primes] <= MOST_FACTOR
end

-- Row n1/2 has no other to be paired with: pairs in several tiles of vectors, or columns of odd length.
local function suits(problem, device, n1, n2)
  if n1 % device.lanes ~= 0 and problem.points * real_bytes(problem) < LEAST_UNEVEN then return false end
  if n1 % 2 == 1 then return true end
  for tiles = 2, n2 % 2 == 0 and n1 // 2 // device.lanes or 0 do
    if n1 // 2 % tiles == 0 then return true end
  end
  return false
end

-- Columns about as long as what a row of all transforms holds, in whole vectors.
local function misfit(device, n1, row)
  return math.abs(math.log(n1 / row)) + (n1 % device.lanes ~= 0 and PART or 0) + (n1 // 2 % device.lanes ~= 0 and PART or 0)
end

local function columns_of(n)
  for _, plan in ipairs(fft.plans(n)) do
    if plan[1] == "stockham" then return plan end
  end
end

-- Rows of least + 1 to most points: one codelet, or passes.
local function add_rows(problem, device, least, most, list)
  local known = {}
  for r = LEAST_RADIX, MOST_RADIX, 2 do
    for n2 = least + 1, problem.points % r == 0 and most or 0 do
      local m = problem.points // r
      local n1, row = m // n2, r * n2
      if m % n2 == 0 and n1 <= MOST_UNEQUAL * row and row <= MOST_UNEQUAL * n1 and suits(problem, device, n1, n2) then
        known[n1] = known[n1] or columns_of(n1)
        local rows = n2 <= MOST_RADIX and { "direct", n2 } or columns_of(n2)
        if known[n1] and rows then
          local plan = { "real", r, { "four-step", known[n1], rows } }
          table.insert(list, { misfit = misfit(device, n1, row), passes = #known[n1] + #rows - 2, plan = plan })
        end
      end
    end
  end
end

-- Of the fewest passes alone.
function plans(problem, device)
  local list, result = {}, {}
  add_rows(problem, device, 1, MOST_RADIX, list)
  if #list == 0 then add_rows(problem, device, MOST_RADIX, MOST_ROW, list) end
  table.sort(list, function(a, b)
    if a.passes ~= b.passes then return a.passes < b.passes end
    return a.misfit < b.misfit
  end)
  for i, known in ipairs(list) do
    if known.passes == list[1].passes and i <= MOST_PLANS then table.insert(result, known.plan) end
  end
  return result
end

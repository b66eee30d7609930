-- Transforms of reals that no block of a GPU holds, as a matrix of n1 rows and n2
-- columns: columns of reals, then half of the rows. By clusters as far as the memory of
-- their blocks goes several times into a multiprocessor, in two kernels beyond. What is
-- preferred here was measured on an H200 (docs/measured.md).
priority = 3

local PART = 33 << 10      -- bytes of a block of a cluster
local CLUSTERS = { 8, 16 }
local RESIDENT = 4         -- blocks of the largest cluster at once
local TILE = 128 << 10     -- bytes of a block of the second kernel, when its tiles are two segments wide
local SEGMENT = 128        -- bytes that GPUs move at once
local MOST_RADIX = 32
local MOST_REAL_RADIX = 64 -- where columns have no two radices up to the other
local LONG_COLUMN = 2 << 10 -- bytes of a column of reals beyond which few tiles fit a multiprocessor
local LONG_ROW = 8 << 10    -- of a row, beyond which a tile is less than a segment wide
local MOST_UNEQUAL = 4     -- one factor over the other
local MOST_POINTS = 1 << 30

local function real_bytes(problem) return problem.precision == "f64" and 8 or 4 end

function applies(problem, device)
  local n = problem.points
  if (problem.kind ~= "r2c" and problem.kind ~= "c2r") or problem.rank ~= 1 or problem.child then return false end
  if not device.gpu or n % 4 ~= 0 or n > MOST_POINTS then return false end
  local primes = fft.factor(n)
  return primes[#primes] <= 31 and n * real_bytes(problem) > device.local_bytes * 3 // 4
end

-- The fewest radices up to `most`, the last one even. Of columns the first one is the
-- largest: it takes reals, half a complex number each. Of rows all are about equal.
local function radices_of(n, most, columns)
  local best, least
  for _, radices in ipairs(fft.radices(n, most)) do
    local cost = #radices * 1000 + (columns and -radices[1] or radices[1] - radices[#radices])
    if radices[#radices] % 2 == 0 and (not least or cost < least) then
      best, least = { "stockham", table.unpack(radices) }, cost
    end
  end
  return best
end

-- Two passes, if there are such.
local function columns_of(n, most)
  local short = radices_of(n, most, true)
  return short and #short == 3 and short or radices_of(n, MOST_REAL_RADIX, true)
end

-- Even n1, nearest to the square root first, the larger one of two; long columns and
-- long rows after all others.
local function splits(problem)
  local list, n, bytes = {}, problem.points, real_bytes(problem)
  local root = math.sqrt(n)
  for d = math.ceil(math.sqrt(n / MOST_UNEQUAL)), math.floor(root) do
    if n % d == 0 then
      if d % 2 == 0 then table.insert(list, d) end
      if n // d ~= d and n // d % 2 == 0 then table.insert(list, n // d) end
    end
  end
  local function misfit(d)
    local long = (d * bytes > LONG_COLUMN and 1 or 0) + (n // d * 2 * bytes > LONG_ROW and 2 or 0)
    return long + math.abs(math.log(d / root)) + (d < root and 0.1 or 0)
  end
  table.sort(list, function(a, b) return misfit(a) < misfit(b) end)
  return list
end

local function cluster_of(problem, device, n2)
  for _, c in ipairs(CLUSTERS) do
    if c <= device.cluster and n2 % c == 0 and problem.points * real_bytes(problem) <= c * PART then return c end
  end
end

function plans(problem, device)
  local result, most, bytes = {}, problem.compute == "f64" and MOST_RADIX // 2 or MOST_RADIX, real_bytes(problem)
  for _, n1 in ipairs(splits(problem)) do
    local n2 = problem.points // n1
    local columns, rows = columns_of(n1, most), radices_of(n2, most)
    if columns and rows and #rows > 2 then
      local c = not problem.in_place and cluster_of(problem, device, n2)
      if c then
        local resident = c == CLUSTERS[#CLUSTERS] and RESIDENT or nil
        table.insert(result, { "four-step", columns, rows, cluster = c, resident = resident })
      end
      local wide = SEGMENT // bytes
      local fits = wide * n2 * 2 * bytes <= math.min(TILE, device.local_bytes)
      table.insert(result, { "four-step", columns, rows, rows = fits and wide or nil })
      return result
    end
  end
  return result
end

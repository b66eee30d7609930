-- Complex convolutions of three dimensions on GPUs: planes of the last two forward, in a block or the blocks of a cluster
-- each, the first dimension forward and back, and planes back. Memory is passed three times, by a kernel for each
-- dimension five times.
priority = 5

local PART, MOST_PART = fft.limit("cluster_part"), fft.limit("plane_part_most")
local SYSTEM, REGISTER_BLOCKS = fft.limit("block_system"), 6 -- blocks a multiprocessor has at most
local PADDED = 16      -- a part of shared memory for paddings
local MOST_CLUSTERS = 3 -- sizes that are offered, the smallest first
local SHORT, LONG = 16, 32 -- points of one codelet, and the largest radices: few passes, or many threads
local CHOICES = 2       -- plans of the first dimension

function applies(problem, device)
  return device.gpu and problem.kind == "conv" and problem.rank == 3 and not problem.frames and problem.n[1] > 1
end

-- One codelet, or the fewest passes, as equal as can be.
local function lines_of(n, most)
  if n <= most then return { "direct", n } end
  local best, least
  for _, radices in ipairs(fft.radices(n, most)) do
    local cost = #radices * 1000 + radices[1] - radices[#radices]
    if not least or cost < least then best, least = radices, cost end
  end
  return best and { "stockham", table.unpack(best) }
end

local function first_dimension(problem)
  local list = {}
  for _, plan in ipairs(fft.plans(problem.n[1], "conv")) do
    if plan[2][1] ~= "four-step" and #list < CHOICES then list[#list + 1] = plan end
  end
  return list
end

function plans(problem, device)
  local rows, columns = problem.n[2], problem.n[3]
  local bytes = rows * columns * (problem.compute == "f64" and 16 or 8)
  local result, taken = {}, 0
  if rows < 2 or columns < 2 then return {} end
  for c = 1, math.max(device.cluster, 1) do
    local part = bytes // c
    if rows % c == 0 and columns % c == 0 and part <= MOST_PART and (c == 1 or part >= PART // 2) and taken < MOST_CLUSTERS then
      taken = taken + 1
      local most = math.max(1, math.min(REGISTER_BLOCKS, device.local_bytes // (part + part // PADDED + SYSTEM)))
      for _, first in ipairs(first_dimension(problem)) do
        for resident = c > 1 and most or 0, c > 1 and math.max(1, most - 1) or 0, -1 do -- one fewer, too, for registers
          for _, radix in ipairs({ SHORT, LONG }) do
            local a, b = lines_of(rows, radix), lines_of(columns, radix)
            if a and b then table.insert(result, { "nd", first, a, b, cluster = c, resident = c > 1 and resident or nil }) end
          end
        end
      end
    end
  end
  return result
end

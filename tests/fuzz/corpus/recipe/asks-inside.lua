function applies() return true end
function plans(p) local t = {} for _, c in ipairs(fft.plans(p.points // 2)) do t[#t + 1] = { "cooley-tukey", 2, c } end return t end

function applies() return true end
function plans() local t = { "nd" } t[2] = t return { t, { 1 }, 3, { "direct", 1.5 }, { "direct", [9] = 1 }, { "direct", x = "y" } } end

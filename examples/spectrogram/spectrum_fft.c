/* SPDX-License-Identifier: 0BSD
 *
 * spectrum_fft: r2c f32 n=1024
 *
 * Plan: real(16, stockham(8,8))
 * Made by: fftgen emit "r2c f32 n=1024" --target c --isa scalar --plan 'real(16, stockham(8,8))' --prefix spectrum_fft
 * Operations a call: 14062 additions, 5012 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 15504, and 16384 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code; clang spills
 * them across lines of the cache where it sets no frame pointer aside.
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define SPECTRUM_FFT_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define SPECTRUM_FFT_RESTRICT restrict
#else
#define SPECTRUM_FFT_RESTRICT
#endif

/* exp(-2 pi i r c / 64), r = 1..7, c = 0..7 */
static const float tw0[112] = {
    1.0f,          0.0f,          0.99518472f,   -0.0980171412f, 0.980785251f,  -0.195090324f, 0.956940353f,
    -0.290284663f, 0.923879504f,  -0.382683426f, 0.881921291f,   -0.471396744f, 0.831469595f,  -0.555570245f,
    0.773010433f,  -0.634393275f, 1.0f,          0.0f,           0.980785251f,  -0.195090324f, 0.923879504f,
    -0.382683426f, 0.831469595f,  -0.555570245f, 0.707106769f,   -0.707106769f, 0.555570245f,  -0.831469595f,
    0.382683426f,  -0.923879504f, 0.195090324f,  -0.980785251f,  1.0f,          0.0f,          0.956940353f,
    -0.290284663f, 0.831469595f,  -0.555570245f, 0.634393275f,   -0.773010433f, 0.382683426f,  -0.923879504f,
    0.0980171412f, -0.99518472f,  -0.195090324f, -0.980785251f,  -0.471396744f, -0.881921291f, 1.0f,
    0.0f,          0.923879504f,  -0.382683426f, 0.707106769f,   -0.707106769f, 0.382683426f,  -0.923879504f,
    0.0f,          -1.0f,         -0.382683426f, -0.923879504f,  -0.707106769f, -0.707106769f, -0.923879504f,
    -0.382683426f, 1.0f,          0.0f,          0.881921291f,   -0.471396744f, 0.555570245f,  -0.831469595f,
    0.0980171412f, -0.99518472f,  -0.382683426f, -0.923879504f,  -0.773010433f, -0.634393275f, -0.980785251f,
    -0.195090324f, -0.956940353f, 0.290284663f,  1.0f,           0.0f,          0.831469595f,  -0.555570245f,
    0.382683426f,  -0.923879504f, -0.195090324f, -0.980785251f,  -0.707106769f, -0.707106769f, -0.980785251f,
    -0.195090324f, -0.923879504f, 0.382683426f,  -0.555570245f,  0.831469595f,  1.0f,          0.0f,
    0.773010433f,  -0.634393275f, 0.195090324f,  -0.980785251f,  -0.471396744f, -0.881921291f, -0.923879504f,
    -0.382683426f, -0.956940353f, 0.290284663f,  -0.555570245f,  0.831469595f,  0.0980171412f, 0.99518472f,
};

/* 0.5 exp(-2 pi i r c / 1024), r = 1..15, c = 1..31 */
static const float tw1[930] = {
    0.499990582f,    -0.00306794234f, 0.49996236f,    -0.00613576919f, 0.499915302f,   -0.00920336507f, 0.499849409f,
    -0.0122706145f,  0.499764711f,    -0.015337402f,  0.499661177f,    -0.0184036121f, 0.499538869f,    -0.0214691292f,
    0.499397725f,    -0.024533838f,   0.499237776f,   -0.0275976229f,  0.499059051f,   -0.0306603685f,  0.498861521f,
    -0.0337219611f,  0.498645216f,    -0.0367822833f, 0.498410136f,    -0.0398412198f, 0.498156309f,    -0.0428986549f,
    0.497883707f,    -0.045954477f,   0.49759236f,    -0.0490085706f,  0.497282296f,   -0.0520608164f,  0.496953487f,
    -0.0551111028f,  0.496605963f,    -0.0581593141f, 0.496239781f,    -0.0612053387f, 0.495854884f,    -0.0642490536f,
    0.495451331f,    -0.0672903508f,  0.495029092f,   -0.0703291222f,  0.494588256f,   -0.0733652338f,  0.494128793f,
    -0.0763985962f,  0.493650705f,    -0.0794290751f, 0.493154049f,    -0.0824565589f, 0.492638826f,    -0.0854809433f,
    0.492105037f,    -0.0885021091f,  0.49155274f,    -0.0915199444f,  0.490981936f,   -0.0945343301f,  0.49996236f,
    -0.00613576919f, 0.499849409f,    -0.0122706145f, 0.499661177f,    -0.0184036121f, 0.499397725f,    -0.024533838f,
    0.499059051f,    -0.0306603685f,  0.498645216f,   -0.0367822833f,  0.498156309f,   -0.0428986549f,  0.49759236f,
    -0.0490085706f,  0.496953487f,    -0.0551111028f, 0.496239781f,    -0.0612053387f, 0.495451331f,    -0.0672903508f,
    0.494588256f,    -0.0733652338f,  0.493650705f,   -0.0794290751f,  0.492638826f,   -0.0854809433f,  0.49155274f,
    -0.0915199444f,  0.490392625f,    -0.0975451618f, 0.48915869f,     -0.103555687f,  0.487851053f,    -0.109550618f,
    0.486469984f,    -0.115529053f,   0.485015631f,   -0.121490091f,   0.483488232f,   -0.127432823f,   0.481888026f,
    -0.133356377f,   0.480215251f,    -0.139259845f,  0.478470176f,    -0.145142332f,  0.47665301f,     -0.151002973f,
    0.474764079f,    -0.156840876f,   0.472803652f,   -0.162655145f,   0.470772028f,   -0.168444932f,   0.468669504f,
    -0.174209341f,   0.466496408f,    -0.179947525f,  0.464253038f,    -0.185658604f,  0.499915302f,    -0.00920336507f,
    0.499661177f,    -0.0184036121f,  0.499237776f,   -0.0275976229f,  0.498645216f,   -0.0367822833f,  0.497883707f,
    -0.045954477f,   0.496953487f,    -0.0551111028f, 0.495854884f,    -0.0642490536f, 0.494588256f,    -0.0733652338f,
    0.493154049f,    -0.0824565589f,  0.49155274f,    -0.0915199444f,  0.489784896f,   -0.10055232f,    0.487851053f,
    -0.109550618f,   0.485751957f,    -0.118511803f,  0.483488232f,    -0.127432823f,  0.481060714f,    -0.136310682f,
    0.478470176f,    -0.145142332f,   0.475717515f,   -0.153924823f,   0.472803652f,   -0.162655145f,   0.469729602f,
    -0.171330363f,   0.466496408f,    -0.179947525f,  0.463105112f,    -0.188503712f,  0.459556937f,    -0.196996018f,
    0.455853015f,    -0.205421582f,   0.451994658f,   -0.213777542f,   0.447983116f,   -0.222061068f,   0.443819821f,
    -0.230269358f,   0.439506114f,    -0.23839961f,   0.435043484f,    -0.246449098f,  0.430433482f,    -0.254415065f,
    0.425677598f,    -0.262294829f,   0.4207775f,     -0.270085722f,   0.499849409f,   -0.0122706145f,  0.499397725f,
    -0.024533838f,   0.498645216f,    -0.0367822833f, 0.49759236f,     -0.0490085706f, 0.496239781f,    -0.0612053387f,
    0.494588256f,    -0.0733652338f,  0.492638826f,   -0.0854809433f,  0.490392625f,   -0.0975451618f,  0.487851053f,
    -0.109550618f,   0.485015631f,    -0.121490091f,  0.481888026f,    -0.133356377f,  0.478470176f,    -0.145142332f,
    0.474764079f,    -0.156840876f,   0.470772028f,   -0.168444932f,   0.466496408f,   -0.179947525f,   0.461939752f,
    -0.191341713f,   0.457104892f,    -0.202620655f,  0.451994658f,    -0.213777542f,  0.446612149f,    -0.224805668f,
    0.440960646f,    -0.235698372f,   0.435043484f,   -0.246449098f,   0.4288643f,     -0.257051378f,   0.42242679f,
    -0.267498821f,   0.415734798f,    -0.277785122f,  0.408792406f,    -0.287904084f,  0.401603758f,    -0.297849655f,
    0.394173205f,    -0.307615787f,   0.386505216f,   -0.317196637f,   0.378604412f,   -0.326586425f,   0.37047556f,
    -0.335779488f,   0.362123549f,    -0.344770283f,  0.499764711f,    -0.015337402f,  0.499059051f,    -0.0306603685f,
    0.497883707f,    -0.045954477f,   0.496239781f,   -0.0612053387f,  0.494128793f,   -0.0763985962f,  0.49155274f,
    -0.0915199444f,  0.488514066f,    -0.106555156f,  0.485015631f,    -0.121490091f,  0.481060714f,    -0.136310682f,
    0.47665301f,     -0.151002973f,   0.471796721f,   -0.165553153f,   0.466496408f,   -0.179947525f,   0.460757017f,
    -0.194172516f,   0.454584002f,    -0.208214775f,  0.447983116f,    -0.222061068f,  0.440960646f,    -0.235698372f,
    0.433523118f,    -0.249113828f,   0.425677598f,   -0.262294829f,   0.417431444f,   -0.275228977f,   0.408792406f,
    -0.287904084f,   0.399768621f,    -0.300308228f,  0.390368611f,    -0.312429756f,  0.380601197f,    -0.324257195f,
    0.37047556f,     -0.335779488f,   0.360001266f,   -0.346985728f,   0.349188119f,   -0.357865423f,   0.338046342f,
    -0.368408293f,   0.326586425f,    -0.378604412f,  0.314819127f,    -0.388444245f,  0.302755535f,    -0.397918463f,
    0.290406972f,    -0.407018155f,   0.499661177f,   -0.0184036121f,  0.498645216f,   -0.0367822833f,  0.496953487f,
    -0.0551111028f,  0.494588256f,    -0.0733652338f, 0.49155274f,     -0.0915199444f, 0.487851053f,    -0.109550618f,
    0.483488232f,    -0.127432823f,   0.478470176f,   -0.145142332f,   0.472803652f,   -0.162655145f,   0.466496408f,
    -0.179947525f,   0.459556937f,    -0.196996018f,  0.451994658f,    -0.213777542f,  0.443819821f,    -0.230269358f,
    0.435043484f,    -0.246449098f,   0.425677598f,   -0.262294829f,   0.415734798f,   -0.277785122f,   0.405228585f,
    -0.292898923f,   0.394173205f,    -0.307615787f,  0.382583618f,    -0.321915776f,  0.37047556f,     -0.335779488f,
    0.357865423f,    -0.349188119f,   0.344770283f,   -0.362123549f,   0.331207901f,   -0.374568194f,   0.317196637f,
    -0.386505216f,   0.302755535f,    -0.397918463f,  0.287904084f,    -0.408792406f,  0.272662491f,    -0.419112355f,
    0.257051378f,    -0.4288643f,     0.241091892f,   -0.438035041f,   0.224805668f,   -0.446612149f,   0.208214775f,
    -0.454584002f,   0.499538869f,    -0.0214691292f, 0.498156309f,    -0.0428986549f, 0.495854884f,    -0.0642490536f,
    0.492638826f,    -0.0854809433f,  0.488514066f,   -0.106555156f,   0.483488232f,   -0.127432823f,   0.477570593f,
    -0.148075446f,   0.470772028f,    -0.168444932f,  0.463105112f,    -0.188503712f,  0.454584002f,    -0.208214775f,
    0.445224375f,    -0.227541789f,   0.435043484f,   -0.246449098f,   0.424060166f,   -0.264901817f,   0.412294656f,
    -0.282865912f,   0.399768621f,    -0.300308228f,  0.386505216f,    -0.317196637f,  0.372528881f,    -0.333499968f,
    0.357865423f,    -0.349188119f,   0.342541844f,   -0.364232183f,   0.326586425f,   -0.378604412f,   0.310028613f,
    -0.392278284f,   0.292898923f,    -0.405228585f,  0.275228977f,    -0.417431444f,  0.257051378f,    -0.4288643f,
    0.23839961f,     -0.439506114f,   0.219308123f,   -0.449337244f,   0.199812099f,   -0.458339542f,   0.179947525f,
    -0.466496408f,   0.159751013f,    -0.473792791f,  0.139259845f,    -0.480215251f,  0.118511803f,    -0.485751957f,
    0.499397725f,    -0.024533838f,   0.49759236f,    -0.0490085706f,  0.494588256f,   -0.0733652338f,  0.490392625f,
    -0.0975451618f,  0.485015631f,    -0.121490091f,  0.478470176f,    -0.145142332f,  0.470772028f,    -0.168444932f,
    0.461939752f,    -0.191341713f,   0.451994658f,   -0.213777542f,   0.440960646f,   -0.235698372f,   0.4288643f,
    -0.257051378f,   0.415734798f,    -0.277785122f,  0.401603758f,    -0.297849655f,  0.386505216f,    -0.317196637f,
    0.37047556f,     -0.335779488f,   0.353553385f,   -0.353553385f,   0.335779488f,   -0.37047556f,    0.317196637f,
    -0.386505216f,   0.297849655f,    -0.401603758f,  0.277785122f,    -0.415734798f,  0.257051378f,    -0.4288643f,
    0.235698372f,    -0.440960646f,   0.213777542f,   -0.451994658f,   0.191341713f,   -0.461939752f,   0.168444932f,
    -0.470772028f,   0.145142332f,    -0.478470176f,  0.121490091f,    -0.485015631f,  0.0975451618f,   -0.490392625f,
    0.0733652338f,   -0.494588256f,   0.0490085706f,  -0.49759236f,    0.024533838f,   -0.499397725f,   0.499237776f,
    -0.0275976229f,  0.496953487f,    -0.0551111028f, 0.493154049f,    -0.0824565589f, 0.487851053f,    -0.109550618f,
    0.481060714f,    -0.136310682f,   0.472803652f,   -0.162655145f,   0.463105112f,   -0.188503712f,   0.451994658f,
    -0.213777542f,   0.439506114f,    -0.23839961f,   0.425677598f,    -0.262294829f,  0.41055125f,     -0.285390377f,
    0.394173205f,    -0.307615787f,   0.376593411f,   -0.328903347f,   0.357865423f,   -0.349188119f,   0.338046342f,
    -0.368408293f,   0.317196637f,    -0.386505216f,  0.295379847f,    -0.403423786f,  0.272662491f,    -0.419112355f,
    0.249113828f,    -0.433523118f,   0.224805668f,   -0.446612149f,   0.199812099f,   -0.458339542f,   0.174209341f,
    -0.468669504f,   0.148075446f,    -0.477570593f,  0.121490091f,    -0.485015631f,  0.0945343301f,   -0.490981936f,
    0.0672903508f,   -0.495451331f,   0.0398412198f,  -0.498410136f,   0.0122706145f,  -0.499849409f,   -0.015337402f,
    -0.499764711f,   -0.0428986549f,  -0.498156309f,  -0.0703291222f,  -0.495029092f,  0.499059051f,    -0.0306603685f,
    0.496239781f,    -0.0612053387f,  0.49155274f,    -0.0915199444f,  0.485015631f,   -0.121490091f,   0.47665301f,
    -0.151002973f,   0.466496408f,    -0.179947525f,  0.454584002f,    -0.208214775f,  0.440960646f,    -0.235698372f,
    0.425677598f,    -0.262294829f,   0.408792406f,   -0.287904084f,   0.390368611f,   -0.312429756f,   0.37047556f,
    -0.335779488f,   0.349188119f,    -0.357865423f,  0.326586425f,    -0.378604412f,  0.302755535f,    -0.397918463f,
    0.277785122f,    -0.415734798f,   0.251769185f,   -0.431986421f,   0.224805668f,   -0.446612149f,   0.196996018f,
    -0.459556937f,   0.168444932f,    -0.470772028f,  0.139259845f,    -0.480215251f,  0.109550618f,    -0.487851053f,
    0.0794290751f,   -0.493650705f,   0.0490085706f,  -0.49759236f,    0.0184036121f,  -0.499661177f,   -0.0122706145f,
    -0.499849409f,   -0.0428986549f,  -0.498156309f,  -0.0733652338f,  -0.494588256f,  -0.103555687f,   -0.48915869f,
    -0.133356377f,   -0.481888026f,   -0.162655145f,  -0.472803652f,   0.498861521f,   -0.0337219611f,  0.495451331f,
    -0.0672903508f,  0.489784896f,    -0.10055232f,   0.481888026f,    -0.133356377f,  0.471796721f,    -0.165553153f,
    0.459556937f,    -0.196996018f,   0.445224375f,   -0.227541789f,   0.4288643f,     -0.257051378f,   0.41055125f,
    -0.285390377f,   0.390368611f,    -0.312429756f,  0.368408293f,    -0.338046342f,  0.344770283f,    -0.362123549f,
    0.319562227f,    -0.384551674f,   0.292898923f,   -0.405228585f,   0.264901817f,   -0.424060166f,   0.235698372f,
    -0.440960646f,   0.205421582f,    -0.455853015f,  0.174209341f,    -0.468669504f,  0.142203763f,    -0.479351729f,
    0.109550618f,    -0.487851053f,   0.0763985962f,  -0.494128793f,   0.0428986549f,  -0.498156309f,   0.00920336507f,
    -0.499915302f,   -0.024533838f,   -0.499397725f,  -0.0581593141f,  -0.496605963f,  -0.0915199444f,  -0.49155274f,
    -0.124463804f,   -0.484261036f,   -0.156840876f,  -0.474764079f,   -0.188503712f,  -0.463105112f,   -0.219308123f,
    -0.449337244f,   -0.249113828f,   -0.433523118f,  0.498645216f,    -0.0367822833f, 0.494588256f,    -0.0733652338f,
    0.487851053f,    -0.109550618f,   0.478470176f,   -0.145142332f,   0.466496408f,   -0.179947525f,   0.451994658f,
    -0.213777542f,   0.435043484f,    -0.246449098f,  0.415734798f,    -0.277785122f,  0.394173205f,    -0.307615787f,
    0.37047556f,     -0.335779488f,   0.344770283f,   -0.362123549f,   0.317196637f,   -0.386505216f,   0.287904084f,
    -0.408792406f,   0.257051378f,    -0.4288643f,    0.224805668f,    -0.446612149f,  0.191341713f,    -0.461939752f,
    0.156840876f,    -0.474764079f,   0.121490091f,   -0.485015631f,   0.0854809433f,  -0.492638826f,   0.0490085706f,
    -0.49759236f,    0.0122706145f,   -0.499849409f,  -0.024533838f,   -0.499397725f,  -0.0612053387f,  -0.496239781f,
    -0.0975451618f,  -0.490392625f,   -0.133356377f,  -0.481888026f,   -0.168444932f,  -0.470772028f,   -0.202620655f,
    -0.457104892f,   -0.235698372f,   -0.440960646f,  -0.267498821f,   -0.42242679f,   -0.297849655f,   -0.401603758f,
    -0.326586425f,   -0.378604412f,   0.498410136f,   -0.0398412198f,  0.493650705f,   -0.0794290751f,  0.485751957f,
    -0.118511803f,   0.474764079f,    -0.156840876f,  0.460757017f,    -0.194172516f,  0.443819821f,    -0.230269358f,
    0.424060166f,    -0.264901817f,   0.401603758f,   -0.297849655f,   0.376593411f,   -0.328903347f,   0.349188119f,
    -0.357865423f,   0.319562227f,    -0.384551674f,  0.287904084f,    -0.408792406f,  0.254415065f,    -0.430433482f,
    0.219308123f,    -0.449337244f,   0.182806492f,   -0.46538347f,    0.145142332f,   -0.478470176f,   0.106555156f,
    -0.488514066f,   0.0672903508f,   -0.495451331f,  0.0275976229f,   -0.499237776f,  -0.0122706145f,  -0.499849409f,
    -0.0520608164f,  -0.497282296f,   -0.0915199444f, -0.49155274f,    -0.130397052f,  -0.482697219f,   -0.168444932f,
    -0.470772028f,   -0.205421582f,   -0.455853015f,  -0.241091892f,   -0.438035041f,  -0.275228977f,   -0.417431444f,
    -0.307615787f,   -0.394173205f,   -0.338046342f,  -0.368408293f,   -0.366327137f,  -0.3403005f,     -0.392278284f,
    -0.310028613f,   0.498156309f,    -0.0428986549f, 0.492638826f,    -0.0854809433f, 0.483488232f,    -0.127432823f,
    0.470772028f,    -0.168444932f,   0.454584002f,   -0.208214775f,   0.435043484f,   -0.246449098f,   0.412294656f,
    -0.282865912f,   0.386505216f,    -0.317196637f,  0.357865423f,    -0.349188119f,  0.326586425f,    -0.378604412f,
    0.292898923f,    -0.405228585f,   0.257051378f,   -0.4288643f,     0.219308123f,   -0.449337244f,   0.179947525f,
    -0.466496408f,   0.139259845f,    -0.480215251f,  0.0975451618f,   -0.490392625f,  0.0551111028f,   -0.496953487f,
    0.0122706145f,   -0.499849409f,   -0.0306603685f, -0.499059051f,   -0.0733652338f, -0.494588256f,   -0.115529053f,
    -0.486469984f,   -0.156840876f,   -0.474764079f,  -0.196996018f,   -0.459556937f,  -0.235698372f,   -0.440960646f,
    -0.272662491f,   -0.419112355f,   -0.307615787f,  -0.394173205f,   -0.3403005f,    -0.366327137f,   -0.37047556f,
    -0.335779488f,   -0.397918463f,   -0.302755535f,  -0.42242679f,    -0.267498821f,  -0.443819821f,   -0.230269358f,
    0.497883707f,    -0.045954477f,   0.49155274f,    -0.0915199444f,  0.481060714f,   -0.136310682f,   0.466496408f,
    -0.179947525f,   0.447983116f,    -0.222061068f,  0.425677598f,    -0.262294829f,  0.399768621f,    -0.300308228f,
    0.37047556f,     -0.335779488f,   0.338046342f,   -0.368408293f,   0.302755535f,   -0.397918463f,   0.264901817f,
    -0.424060166f,   0.224805668f,    -0.446612149f,  0.182806492f,    -0.46538347f,   0.139259845f,    -0.480215251f,
    0.0945343301f,   -0.490981936f,   0.0490085706f,  -0.49759236f,    0.00306794234f, -0.499990582f,   -0.0428986549f,
    -0.498156309f,   -0.0885021091f,  -0.492105037f,  -0.133356377f,   -0.481888026f,  -0.177081764f,   -0.467591763f,
    -0.219308123f,   -0.449337244f,   -0.259678006f,  -0.427278996f,   -0.297849655f,  -0.401603758f,   -0.333499968f,
    -0.372528881f,   -0.366327137f,   -0.3403005f,    -0.396053284f,   -0.305191398f,  -0.42242679f,    -0.267498821f,
    -0.445224375f,   -0.227541789f,   -0.464253038f,  -0.185658604f,   -0.479351729f,  -0.142203763f,
};

/* radix 8, 64 columns after 1 */
static void spectrum_fft_run_0(const float *SPECTRUM_FFT_RESTRICT in, float *SPECTRUM_FFT_RESTRICT out) {
  const float KP707106781 = 0.707106769f;
  for (ptrdiff_t q = 0; q < 64; ++q) {
    const float *const px = in + 2 * q;
    float *const py = out + 16 * q;
    const float x7r = px[896];
    const float x7i = px[897];
    const float x3r = px[384];
    const float x3i = px[385];
    const float t0 = x7r + x3r;
    const float t1 = x7r - x3r;
    const float x1r = px[128];
    const float x1i = px[129];
    const float x5r = px[640];
    const float x5i = px[641];
    const float t2 = x1r + x5r;
    const float t3 = x1r - x5r;
    const float t4 = t2 + t0;
    const float t5 = t2 - t0;
    const float x2r = px[256];
    const float x2i = px[257];
    const float x6r = px[768];
    const float x6i = px[769];
    const float t6 = x2r + x6r;
    const float t7 = x2r - x6r;
    const float x0r = px[0];
    const float x0i = px[1];
    const float x4r = px[512];
    const float x4i = px[513];
    const float t8 = x0r + x4r;
    const float t9 = x0r - x4r;
    const float t10 = t8 + t6;
    const float t11 = t8 - t6;
    const float t12 = t10 + t4;
    const float t13 = t10 - t4;
    const float t14 = x7i + x3i;
    const float t15 = x7i - x3i;
    const float t16 = x1i + x5i;
    const float t17 = x1i - x5i;
    const float t18 = t16 + t14;
    const float t19 = t16 - t14;
    const float t20 = x2i + x6i;
    const float t21 = x2i - x6i;
    const float t22 = x0i + x4i;
    const float t23 = x0i - x4i;
    const float t24 = t22 + t20;
    const float t25 = t22 - t20;
    const float t26 = t24 + t18;
    py[0] = t12;
    py[1] = t26;
    const float t27 = t24 - t18;
    py[8] = t13;
    py[9] = t27;
    const float t28 = t11 + t19;
    const float t29 = t11 - t19;
    const float t30 = t25 - t5;
    py[4] = t28;
    py[5] = t30;
    const float t31 = t25 + t5;
    py[12] = t29;
    py[13] = t31;
    const float t32 = t3 + t17;
    const float t33 = t17 - t3;
    const float t34 = t1 - t15;
    const float t35 = t15 + t1;
    const float t36 = t32 + t34;
    const float t37 = t32 - t34;
    const float t38 = KP707106781 * t36;
    const float t39 = t9 + t21;
    const float t40 = t9 - t21;
    const float t41 = t39 + t38;
    const float t42 = t39 - t38;
    const float t43 = t33 + t35;
    const float t44 = t33 - t35;
    const float t45 = KP707106781 * t43;
    const float t46 = t23 - t7;
    const float t47 = t23 + t7;
    const float t48 = t46 + t45;
    py[2] = t41;
    py[3] = t48;
    const float t49 = t46 - t45;
    py[10] = t42;
    py[11] = t49;
    const float t50 = KP707106781 * t44;
    const float t51 = t40 + t50;
    const float t52 = t40 - t50;
    const float t53 = KP707106781 * t37;
    const float t54 = t47 - t53;
    py[6] = t51;
    py[7] = t54;
    const float t55 = t47 + t53;
    py[14] = t52;
    py[15] = t55;
  }
}

/* radix 8, 64 columns after 8 */
static void spectrum_fft_run_1(const float *SPECTRUM_FFT_RESTRICT out, float *SPECTRUM_FFT_RESTRICT work0) {
  const float KP707106781 = 0.707106769f;
  for (ptrdiff_t q = 0; q < 8; ++q) {
    for (ptrdiff_t k = 0; k < 8; ++k) {
      const float *const px = out + 16 * q + 2 * k;
      const float *const pw = tw0 + 2 * k;
      float *const py = work0 + 128 * q + 2 * k;
      const float w3r = pw[48];
      const float w3i = pw[49];
      const float x4r = px[512];
      const float x4i = px[513];
      const float t0 = w3r * x4r;
      const float t1 = w3r * x4i;
      const float t2 = w3i * x4i;
      const float t3 = t0 - t2;
      const float t4 = w3i * x4r;
      const float t5 = t1 + t4;
      const float w1r = pw[16];
      const float w1i = pw[17];
      const float x2r = px[256];
      const float x2i = px[257];
      const float t6 = w1r * x2r;
      const float t7 = w1r * x2i;
      const float t8 = w1i * x2i;
      const float t9 = t6 - t8;
      const float t10 = w1i * x2r;
      const float t11 = t7 + t10;
      const float w5r = pw[80];
      const float w5i = pw[81];
      const float x6r = px[768];
      const float x6i = px[769];
      const float t12 = w5r * x6r;
      const float t13 = w5r * x6i;
      const float t14 = w5i * x6i;
      const float t15 = t12 - t14;
      const float t16 = w5i * x6r;
      const float t17 = t13 + t16;
      const float w0r = pw[0];
      const float w0i = pw[1];
      const float x1r = px[128];
      const float x1i = px[129];
      const float t18 = w0r * x1r;
      const float t19 = w0r * x1i;
      const float t20 = w0i * x1i;
      const float t21 = t18 - t20;
      const float t22 = w0i * x1r;
      const float t23 = t19 + t22;
      const float w4r = pw[64];
      const float w4i = pw[65];
      const float x5r = px[640];
      const float x5i = px[641];
      const float t24 = w4r * x5r;
      const float t25 = w4r * x5i;
      const float t26 = w4i * x5i;
      const float t27 = t24 - t26;
      const float t28 = w4i * x5r;
      const float t29 = t25 + t28;
      const float t30 = t21 - t27;
      const float t31 = t21 + t27;
      const float t32 = t23 - t29;
      const float t33 = t23 + t29;
      const float w6r = pw[96];
      const float w6i = pw[97];
      const float x7r = px[896];
      const float x7i = px[897];
      const float t34 = w6r * x7r;
      const float t35 = w6r * x7i;
      const float t36 = w6i * x7i;
      const float t37 = t34 - t36;
      const float t38 = w6i * x7r;
      const float t39 = t35 + t38;
      const float w2r = pw[32];
      const float w2i = pw[33];
      const float x3r = px[384];
      const float x3i = px[385];
      const float t40 = w2r * x3r;
      const float t41 = w2r * x3i;
      const float t42 = w2i * x3i;
      const float t43 = t40 - t42;
      const float t44 = w2i * x3r;
      const float t45 = t41 + t44;
      const float t46 = t37 - t43;
      const float t47 = t37 + t43;
      const float t48 = t39 - t45;
      const float t49 = t39 + t45;
      const float t50 = t9 + t15;
      const float t51 = t9 - t15;
      const float x0r = px[0];
      const float x0i = px[1];
      const float t52 = x0r + t3;
      const float t53 = x0r - t3;
      const float t54 = t52 + t50;
      const float t55 = t52 - t50;
      const float t56 = t31 + t47;
      const float t57 = t31 - t47;
      const float t58 = t11 + t17;
      const float t59 = t11 - t17;
      const float t60 = x0i + t5;
      const float t61 = x0i - t5;
      const float t62 = t60 + t58;
      const float t63 = t60 - t58;
      const float t64 = t33 + t49;
      const float t65 = t33 - t49;
      const float t66 = t54 + t56;
      const float t67 = t54 - t56;
      const float t68 = t62 + t64;
      py[0] = t66;
      py[1] = t68;
      const float t69 = t62 - t64;
      py[64] = t67;
      py[65] = t69;
      const float t70 = t55 + t65;
      const float t71 = t55 - t65;
      const float t72 = t63 - t57;
      py[32] = t70;
      py[33] = t72;
      const float t73 = t63 + t57;
      py[96] = t71;
      py[97] = t73;
      const float t74 = t53 + t59;
      const float t75 = t53 - t59;
      const float t76 = t46 - t48;
      const float t77 = t48 + t46;
      const float t78 = t30 + t32;
      const float t79 = t32 - t30;
      const float t80 = t78 + t76;
      const float t81 = t78 - t76;
      const float t82 = t61 - t51;
      const float t83 = t61 + t51;
      const float t84 = t79 + t77;
      const float t85 = t79 - t77;
      const float t86 = KP707106781 * t80;
      const float t87 = t74 + t86;
      const float t88 = t74 - t86;
      const float t89 = KP707106781 * t84;
      const float t90 = t82 + t89;
      py[16] = t87;
      py[17] = t90;
      const float t91 = t82 - t89;
      py[80] = t88;
      py[81] = t91;
      const float t92 = KP707106781 * t85;
      const float t93 = t75 + t92;
      const float t94 = t75 - t92;
      const float t95 = KP707106781 * t81;
      const float t96 = t83 - t95;
      py[48] = t93;
      py[49] = t96;
      const float t97 = t83 + t95;
      py[112] = t94;
      py[113] = t97;
    }
  }
}

/* real radix 16, pairs of columns of 64 */
static void spectrum_fft_run_2(float *SPECTRUM_FFT_RESTRICT out, const float *SPECTRUM_FFT_RESTRICT work0) {
  const float KP500000000 = 0.5f;
  const float KP382683432 = 0.382683426f;
  const float KP923879533 = 0.923879504f;
  const float KP707106781 = 0.707106769f;
  for (ptrdiff_t k = 0; k < 31; ++k) {
    const float *const px = work0 + 2 * k + 2;
    const float *const pu = work0 + -2 * k + 126;
    const float *const pw = tw1 + 2 * k;
    float *const py = out + 2 * k + 2;
    float *const pz = out + -2 * k + 1022;
    const float x3r = px[384];
    const float x3i = px[385];
    const float u3r = pu[384];
    const float u3i = pu[385];
    const float t0 = x3r + u3r;
    const float t1 = u3r - x3r;
    const float w5r = pw[310];
    const float w5i = pw[311];
    const float t2 = w5i * t0;
    const float t3 = x3i - u3i;
    const float t4 = x3i + u3i;
    const float t5 = w5i * t3;
    const float t6 = w5r * t0;
    const float t7 = t5 - t6;
    const float t8 = w5r * t3;
    const float t9 = t8 + t2;
    const float x7r = px[896];
    const float x7i = px[897];
    const float u7r = pu[896];
    const float u7i = pu[897];
    const float t10 = x7r + u7r;
    const float t11 = u7r - x7r;
    const float w13r = pw[806];
    const float w13i = pw[807];
    const float t12 = w13i * t10;
    const float t13 = x7i - u7i;
    const float t14 = x7i + u7i;
    const float t15 = w13r * t13;
    const float t16 = t15 + t12;
    const float t17 = w13i * t13;
    const float t18 = w13r * t10;
    const float t19 = t18 - t17;
    const float t20 = t19 - t7;
    const float t21 = t19 + t7;
    const float t22 = t16 + t9;
    const float t23 = t9 - t16;
    const float t24 = t21 - t23;
    const float t25 = t21 + t23;
    const float w14r = pw[868];
    const float w14i = pw[869];
    const float t26 = w14r * t14;
    const float t27 = w14i * t14;
    const float t28 = w14r * t11;
    const float t29 = t28 + t27;
    const float t30 = w14i * t11;
    const float t31 = t26 - t30;
    const float u1r = pu[128];
    const float u1i = pu[129];
    const float x1r = px[128];
    const float x1i = px[129];
    const float t32 = u1r - x1r;
    const float t33 = x1r + u1r;
    const float w2r = pw[124];
    const float w2i = pw[125];
    const float t34 = w2r * t32;
    const float t35 = w2i * t32;
    const float t36 = x1i + u1i;
    const float t37 = x1i - u1i;
    const float t38 = w2i * t36;
    const float t39 = t34 + t38;
    const float t40 = w2r * t36;
    const float t41 = t40 - t35;
    const float w6r = pw[372];
    const float w6i = pw[373];
    const float t42 = w6i * t1;
    const float t43 = w6r * t1;
    const float t44 = w6i * t4;
    const float t45 = t43 + t44;
    const float t46 = w6r * t4;
    const float t47 = t46 - t42;
    const float u5r = pu[640];
    const float u5i = pu[641];
    const float x5r = px[640];
    const float x5i = px[641];
    const float t48 = u5r - x5r;
    const float t49 = x5r + u5r;
    const float w10r = pw[620];
    const float w10i = pw[621];
    const float t50 = w10r * t48;
    const float t51 = x5i + u5i;
    const float t52 = x5i - u5i;
    const float t53 = w10i * t51;
    const float t54 = t50 + t53;
    const float t55 = w10r * t51;
    const float t56 = w10i * t48;
    const float t57 = t55 - t56;
    const float t58 = t47 - t31;
    const float t59 = t31 + t47;
    const float t60 = t39 - t54;
    const float t61 = t39 + t54;
    const float t62 = t60 - t58;
    const float t63 = t58 + t60;
    const float t64 = t29 + t45;
    const float t65 = t29 - t45;
    const float t66 = t57 - t41;
    const float t67 = t41 + t57;
    const float t68 = t65 - t66;
    const float t69 = t65 + t66;
    const float x2r = px[256];
    const float x2i = px[257];
    const float u2r = pu[256];
    const float u2i = pu[257];
    const float t70 = x2i - u2i;
    const float t71 = x2i + u2i;
    const float w3r = pw[186];
    const float w3i = pw[187];
    const float t72 = w3r * t70;
    const float t73 = x2r + u2r;
    const float t74 = u2r - x2r;
    const float t75 = w3r * t73;
    const float t76 = w3i * t70;
    const float t77 = t75 - t76;
    const float t78 = w3i * t73;
    const float t79 = t72 + t78;
    const float x6r = px[768];
    const float x6i = px[769];
    const float u6r = pu[768];
    const float u6i = pu[769];
    const float t80 = x6r + u6r;
    const float t81 = u6r - x6r;
    const float w11r = pw[682];
    const float w11i = pw[683];
    const float t82 = w11r * t80;
    const float t83 = x6i - u6i;
    const float t84 = x6i + u6i;
    const float t85 = w11i * t83;
    const float t86 = t82 - t85;
    const float t87 = w11i * t80;
    const float t88 = w11r * t83;
    const float t89 = t88 + t87;
    const float t90 = t79 - t89;
    const float t91 = t79 + t89;
    const float t92 = t77 - t86;
    const float t93 = t77 + t86;
    const float w9r = pw[558];
    const float w9i = pw[559];
    const float t94 = w9i * t49;
    const float t95 = w9i * t52;
    const float t96 = w9r * t49;
    const float t97 = t96 - t95;
    const float t98 = w9r * t52;
    const float t99 = t98 + t94;
    const float w1r = pw[62];
    const float w1i = pw[63];
    const float t100 = w1r * t33;
    const float t101 = w1r * t37;
    const float t102 = w1i * t33;
    const float t103 = t101 + t102;
    const float t104 = w1i * t37;
    const float t105 = t104 - t100;
    const float t106 = t103 - t99;
    const float t107 = t103 + t99;
    const float t108 = t105 + t97;
    const float t109 = t105 - t97;
    const float t110 = t106 - t108;
    const float t111 = t106 + t108;
    const float x4r = px[512];
    const float x4i = px[513];
    const float u4r = pu[512];
    const float u4i = pu[513];
    const float t112 = x4r - u4r;
    const float t113 = x4r + u4r;
    const float w8r = pw[496];
    const float w8i = pw[497];
    const float t114 = w8i * t112;
    const float t115 = w8r * t112;
    const float t116 = x4i + u4i;
    const float t117 = x4i - u4i;
    const float t118 = w8r * t116;
    const float t119 = t118 + t114;
    const float t120 = w8i * t116;
    const float t121 = t120 - t115;
    const float w4r = pw[248];
    const float w4i = pw[249];
    const float t122 = w4i * t71;
    const float t123 = w4r * t74;
    const float t124 = w4i * t74;
    const float t125 = w4r * t71;
    const float t126 = t125 - t124;
    const float t127 = t123 + t122;
    const float u0r = pu[0];
    const float u0i = pu[1];
    const float x0r = px[0];
    const float x0i = px[1];
    const float t128 = u0r - x0r;
    const float t129 = x0r + u0r;
    const float w0r = pw[0];
    const float w0i = pw[1];
    const float t130 = w0r * t128;
    const float t131 = x0i + u0i;
    const float t132 = x0i - u0i;
    const float t133 = w0i * t131;
    const float t134 = w0r * t131;
    const float t135 = w0i * t128;
    const float t136 = t134 - t135;
    const float t137 = t130 + t133;
    const float w12r = pw[744];
    const float w12i = pw[745];
    const float t138 = w12r * t84;
    const float t139 = w12r * t81;
    const float t140 = w12i * t81;
    const float t141 = t138 - t140;
    const float t142 = w12i * t84;
    const float t143 = t139 + t142;
    const float t144 = t137 - t121;
    const float t145 = t137 + t121;
    const float t146 = t126 - t141;
    const float t147 = t126 + t141;
    const float t148 = t144 + t146;
    const float t149 = t144 - t146;
    const float t150 = t119 - t136;
    const float t151 = t136 + t119;
    const float t152 = t127 - t143;
    const float t153 = t127 + t143;
    const float t154 = t150 + t152;
    const float t155 = t152 - t150;
    const float w7r = pw[434];
    const float w7i = pw[435];
    const float t156 = w7i * t117;
    const float t157 = w7r * t113;
    const float t158 = t157 - t156;
    const float t159 = w7r * t117;
    const float t160 = w7i * t113;
    const float t161 = t159 + t160;
    const float t162 = KP500000000 * t132;
    const float t163 = KP500000000 * t129;
    const float t164 = t162 - t161;
    const float t165 = t162 + t161;
    const float t166 = t163 - t158;
    const float t167 = t163 + t158;
    const float t168 = KP382683432 * t148;
    const float t169 = KP923879533 * t154;
    const float t170 = t168 + t169;
    const float t171 = KP923879533 * t68;
    const float t172 = KP382683432 * t63;
    const float t173 = t172 + t171;
    const float t174 = t110 - t25;
    const float t175 = t110 + t25;
    const float t176 = KP707106781 * t174;
    const float t177 = KP923879533 * t148;
    const float t178 = KP382683432 * t154;
    const float t179 = t178 - t177;
    const float t180 = t111 - t24;
    const float t181 = t111 + t24;
    const float t182 = KP707106781 * t180;
    const float t183 = KP923879533 * t63;
    const float t184 = KP382683432 * t68;
    const float t185 = t184 - t183;
    const float t186 = t179 - t173;
    const float t187 = t179 + t173;
    const float t188 = t164 + t92;
    const float t189 = t164 - t92;
    const float t190 = t188 + t176;
    const float t191 = t188 - t176;
    const float t192 = t186 - t190;
    const float t193 = t190 + t186;
    const float t194 = t166 - t90;
    const float t195 = t166 + t90;
    const float t196 = t194 + t182;
    const float t197 = t194 - t182;
    const float t198 = t196 - t187;
    const float t199 = t196 + t187;
    const float t200 = t170 + t185;
    const float t201 = t170 - t185;
    const float t202 = t191 + t200;
    py[384] = t198;
    py[385] = t202;
    const float t203 = t200 - t191;
    pz[-384] = t199;
    pz[-383] = t203;
    const float t204 = t197 - t201;
    pz[-896] = t204;
    pz[-895] = t192;
    const float t205 = t197 + t201;
    py[896] = t205;
    py[897] = t193;
    const float t206 = KP923879533 * t62;
    const float t207 = KP382683432 * t69;
    const float t208 = t206 - t207;
    const float t209 = KP923879533 * t149;
    const float t210 = KP382683432 * t155;
    const float t211 = t209 - t210;
    const float t212 = KP923879533 * t155;
    const float t213 = KP382683432 * t149;
    const float t214 = t212 + t213;
    const float t215 = KP707106781 * t175;
    const float t216 = KP382683432 * t62;
    const float t217 = KP923879533 * t69;
    const float t218 = t217 + t216;
    const float t219 = KP707106781 * t181;
    const float t220 = t189 + t219;
    const float t221 = t219 - t189;
    const float t222 = t211 + t218;
    const float t223 = t211 - t218;
    const float t224 = t222 - t220;
    const float t225 = t220 + t222;
    const float t226 = t214 + t208;
    const float t227 = t208 - t214;
    const float t228 = t195 + t215;
    const float t229 = t195 - t215;
    const float t230 = t228 + t226;
    py[128] = t230;
    py[129] = t225;
    const float t231 = t228 - t226;
    pz[-128] = t231;
    pz[-127] = t224;
    const float t232 = t221 + t227;
    const float t233 = t227 - t221;
    const float t234 = t229 + t223;
    py[640] = t234;
    py[641] = t233;
    const float t235 = t229 - t223;
    pz[-640] = t235;
    pz[-639] = t232;
    const float t236 = t67 - t59;
    const float t237 = t59 + t67;
    const float t238 = t61 - t64;
    const float t239 = t64 + t61;
    const float t240 = t238 + t236;
    const float t241 = t238 - t236;
    const float t242 = t151 - t147;
    const float t243 = t151 + t147;
    const float t244 = t145 - t153;
    const float t245 = t145 + t153;
    const float t246 = t244 - t242;
    const float t247 = t242 + t244;
    const float t248 = t246 - t240;
    const float t249 = t246 + t240;
    const float t250 = t241 - t247;
    const float t251 = t247 + t241;
    const float t252 = KP707106781 * t250;
    const float t253 = t165 - t91;
    const float t254 = t165 + t91;
    const float t255 = t109 + t20;
    const float t256 = t20 - t109;
    const float t257 = t255 - t253;
    const float t258 = t253 + t255;
    const float t259 = t252 - t257;
    const float t260 = t257 + t252;
    const float t261 = KP707106781 * t248;
    const float t262 = t258 + t261;
    const float t263 = t261 - t258;
    const float t264 = KP707106781 * t249;
    const float t265 = t107 - t22;
    const float t266 = t107 + t22;
    const float t267 = t167 - t93;
    const float t268 = t167 + t93;
    const float t269 = t267 - t265;
    const float t270 = t267 + t265;
    const float t271 = t269 - t264;
    pz[-768] = t271;
    pz[-767] = t260;
    const float t272 = t269 + t264;
    py[768] = t272;
    py[769] = t259;
    const float t273 = KP707106781 * t251;
    const float t274 = t270 - t273;
    pz[-256] = t274;
    pz[-255] = t263;
    const float t275 = t270 + t273;
    py[256] = t275;
    py[257] = t262;
    const float t276 = t237 - t243;
    const float t277 = t243 + t237;
    const float t278 = t254 - t266;
    const float t279 = t254 + t266;
    const float t280 = t276 - t278;
    const float t281 = t278 + t276;
    const float t282 = t268 + t256;
    const float t283 = t268 - t256;
    const float t284 = t282 + t277;
    const float t285 = t282 - t277;
    const float t286 = t245 + t239;
    const float t287 = t245 - t239;
    const float t288 = t286 - t279;
    pz[0] = t285;
    pz[1] = t288;
    const float t289 = t279 + t286;
    py[0] = t284;
    py[1] = t289;
    const float t290 = t283 + t287;
    py[512] = t290;
    py[513] = t281;
    const float t291 = t283 - t287;
    pz[-512] = t291;
    pz[-511] = t280;
  }
}

/* real radix 16, the first column of 64 */
static void spectrum_fft_run_3(float *SPECTRUM_FFT_RESTRICT out, const float *SPECTRUM_FFT_RESTRICT work0) {
  const float KP707106781 = 0.707106769f;
  const float KP923879533 = 0.923879504f;
  const float KP382683432 = 0.382683426f;
  const float KP000000000 = 0.0f;
  const float *const px = work0;
  float *const py = out;
  const float x2r = px[256];
  const float x2i = px[257];
  const float x6r = px[768];
  const float x6i = px[769];
  const float t0 = x2i + x6i;
  const float t1 = x2i - x6i;
  const float x0r = px[0];
  const float x0i = px[1];
  const float x4r = px[512];
  const float x4i = px[513];
  const float t2 = x0i + x4i;
  const float t3 = x0i - x4i;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float x1r = px[128];
  const float x1i = px[129];
  const float x5r = px[640];
  const float x5i = px[641];
  const float t6 = x1i + x5i;
  const float t7 = x1i - x5i;
  const float x7r = px[896];
  const float x7i = px[897];
  const float x3r = px[384];
  const float x3i = px[385];
  const float t8 = x7i + x3i;
  const float t9 = x7i - x3i;
  const float t10 = t8 + t6;
  const float t11 = t8 - t6;
  const float t12 = t4 + t10;
  const float t13 = t10 - t4;
  const float t14 = x7r + x3r;
  const float t15 = x7r - x3r;
  const float t16 = x1r + x5r;
  const float t17 = x1r - x5r;
  const float t18 = t16 + t14;
  const float t19 = t16 - t14;
  const float t20 = x2r + x6r;
  const float t21 = x2r - x6r;
  const float t22 = x0r + x4r;
  const float t23 = x0r - x4r;
  const float t24 = t22 + t20;
  const float t25 = t22 - t20;
  const float t26 = t24 + t18;
  const float t27 = t24 - t18;
  py[512] = t27;
  py[513] = t13;
  const float t28 = t26 + t12;
  py[0] = t28;
  py[1] = KP000000000;
  const float t29 = t26 - t12;
  py[1024] = t29;
  py[1025] = KP000000000;
  const float t30 = t5 + t11;
  const float t31 = t11 - t5;
  const float t32 = KP707106781 * t30;
  const float t33 = t25 + t32;
  const float t34 = t25 - t32;
  const float t35 = KP707106781 * t31;
  const float t36 = t35 - t19;
  py[256] = t33;
  py[257] = t36;
  const float t37 = t19 + t35;
  py[768] = t34;
  py[769] = t37;
  const float t38 = t17 + t15;
  const float t39 = t15 - t17;
  const float t40 = KP923879533 * t3;
  const float t41 = KP382683432 * t3;
  const float t42 = KP382683432 * t1;
  const float t43 = t40 - t42;
  const float t44 = KP923879533 * t1;
  const float t45 = t44 + t41;
  const float t46 = KP923879533 * t9;
  const float t47 = KP382683432 * t9;
  const float t48 = KP382683432 * t7;
  const float t49 = t46 + t48;
  const float t50 = KP923879533 * t7;
  const float t51 = t47 - t50;
  const float t52 = KP707106781 * t38;
  const float t53 = KP707106781 * t39;
  const float t54 = t43 + t49;
  const float t55 = t49 - t43;
  const float t56 = t23 + t52;
  const float t57 = t23 - t52;
  const float t58 = t56 + t54;
  const float t59 = t56 - t54;
  const float t60 = t51 - t45;
  const float t61 = t45 + t51;
  const float t62 = t53 - t21;
  const float t63 = t21 + t53;
  const float t64 = t62 + t60;
  py[128] = t58;
  py[129] = t64;
  const float t65 = t60 - t62;
  py[896] = t59;
  py[897] = t65;
  const float t66 = t57 + t61;
  const float t67 = t57 - t61;
  const float t68 = t63 + t55;
  py[384] = t66;
  py[385] = t68;
  const float t69 = t55 - t63;
  py[640] = t67;
  py[641] = t69;
}

/* real radix 16, the middle column of 64 */
static void spectrum_fft_run_4(float *SPECTRUM_FFT_RESTRICT out, const float *SPECTRUM_FFT_RESTRICT work0) {
  const float KP707106781 = 0.707106769f;
  const float KP382683432 = 0.382683426f;
  const float KP923879533 = 0.923879504f;
  const float KP195090322 = 0.195090324f;
  const float KP980785280 = 0.980785251f;
  const float KP555570233 = 0.555570245f;
  const float KP831469612 = 0.831469595f;
  const float *const px = work0 + 64;
  float *const py = out + 64;
  const float x2r = px[256];
  const float x2i = px[257];
  const float x6r = px[768];
  const float x6i = px[769];
  const float t0 = x2r - x6r;
  const float t1 = x2r + x6r;
  const float t2 = KP707106781 * t0;
  const float x5r = px[640];
  const float x5i = px[641];
  const float t3 = KP382683432 * x5r;
  const float x1r = px[128];
  const float x1i = px[129];
  const float t4 = KP923879533 * x1r;
  const float t5 = t4 - t3;
  const float x3r = px[384];
  const float x3i = px[385];
  const float t6 = KP382683432 * x3r;
  const float x7r = px[896];
  const float x7i = px[897];
  const float t7 = KP923879533 * x7r;
  const float t8 = t6 - t7;
  const float t9 = x2i - x6i;
  const float t10 = x2i + x6i;
  const float t11 = KP707106781 * t9;
  const float x0r = px[0];
  const float x0i = px[1];
  const float t12 = x0i + t11;
  const float t13 = t11 - x0i;
  const float t14 = KP707106781 * t10;
  const float x4r = px[512];
  const float x4i = px[513];
  const float t15 = x4i + t14;
  const float t16 = t14 - x4i;
  const float t17 = x1i - x5i;
  const float t18 = x1i + x5i;
  const float t19 = KP707106781 * t17;
  const float t20 = t19 - x7i;
  const float t21 = x7i + t19;
  const float t22 = KP707106781 * t18;
  const float t23 = x3i + t22;
  const float t24 = t22 - x3i;
  const float t25 = KP707106781 * t1;
  const float t26 = KP923879533 * x5r;
  const float t27 = KP382683432 * x1r;
  const float t28 = t26 + t27;
  const float t29 = KP923879533 * x3r;
  const float t30 = KP382683432 * x7r;
  const float t31 = t29 + t30;
  const float t32 = KP195090322 * t15;
  const float t33 = KP980785280 * t12;
  const float t34 = t33 - t32;
  const float t35 = KP195090322 * t23;
  const float t36 = KP980785280 * t20;
  const float t37 = t36 + t35;
  const float t38 = KP980785280 * t15;
  const float t39 = KP195090322 * t12;
  const float t40 = t38 + t39;
  const float t41 = KP980785280 * t23;
  const float t42 = KP195090322 * t20;
  const float t43 = t42 - t41;
  const float t44 = t34 + t37;
  const float t45 = t37 - t34;
  const float t46 = t5 + t8;
  const float t47 = t8 - t5;
  const float t48 = x0r + t2;
  const float t49 = x0r - t2;
  const float t50 = t48 + t46;
  const float t51 = t48 - t46;
  const float t52 = t50 + t44;
  const float t53 = t50 - t44;
  const float t54 = t43 - t40;
  const float t55 = t40 + t43;
  const float t56 = t28 + t31;
  const float t57 = t31 - t28;
  const float t58 = x4r + t25;
  const float t59 = t25 - x4r;
  const float t60 = t58 + t56;
  const float t61 = t56 - t58;
  const float t62 = t54 - t60;
  py[0] = t52;
  py[1] = t62;
  const float t63 = t60 + t54;
  py[896] = t53;
  py[897] = t63;
  const float t64 = t51 + t55;
  const float t65 = t51 - t55;
  const float t66 = t45 - t61;
  py[384] = t64;
  py[385] = t66;
  const float t67 = t61 + t45;
  py[512] = t65;
  py[513] = t67;
  const float t68 = KP555570233 * t16;
  const float t69 = KP831469612 * t13;
  const float t70 = t69 + t68;
  const float t71 = KP555570233 * t24;
  const float t72 = KP831469612 * t21;
  const float t73 = t71 - t72;
  const float t74 = KP831469612 * t16;
  const float t75 = KP555570233 * t13;
  const float t76 = t75 - t74;
  const float t77 = KP831469612 * t24;
  const float t78 = KP555570233 * t21;
  const float t79 = t77 + t78;
  const float t80 = t73 - t70;
  const float t81 = t70 + t73;
  const float t82 = t49 - t57;
  const float t83 = t49 + t57;
  const float t84 = t82 + t80;
  const float t85 = t82 - t80;
  const float t86 = t76 - t79;
  const float t87 = t76 + t79;
  const float t88 = t47 - t59;
  const float t89 = t59 + t47;
  const float t90 = t88 + t86;
  py[128] = t84;
  py[129] = t90;
  const float t91 = t86 - t88;
  py[768] = t85;
  py[769] = t91;
  const float t92 = t83 - t87;
  const float t93 = t83 + t87;
  const float t94 = t89 + t81;
  py[256] = t92;
  py[257] = t94;
  const float t95 = t81 - t89;
  py[640] = t93;
  py[641] = t95;
}

/* 5 stages */
static void spectrum_fft_run(const float *SPECTRUM_FFT_RESTRICT in, float *SPECTRUM_FFT_RESTRICT out,
                             float *SPECTRUM_FFT_RESTRICT work0) {
  spectrum_fft_run_0(in, out);
  spectrum_fft_run_1(out, work0);
  spectrum_fft_run_2(out, work0);
  spectrum_fft_run_3(out, work0);
  spectrum_fft_run_4(out, work0);
}

#ifdef __cplusplus
extern "C"
#endif
    void
    spectrum_fft(const float *SPECTRUM_FFT_RESTRICT in, float *SPECTRUM_FFT_RESTRICT out,
                 float *SPECTRUM_FFT_RESTRICT scratch);

void spectrum_fft(const float *SPECTRUM_FFT_RESTRICT in, float *SPECTRUM_FFT_RESTRICT out,
                  float *SPECTRUM_FFT_RESTRICT scratch) {
  float *const work0 = scratch;
  spectrum_fft_run(in, out, work0);
}

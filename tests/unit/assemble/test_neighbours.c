/* Transforms that are next to each other, element by element: a block takes a segment's worth, as lanes; and tiles of
 * columns of which the last has fewer. */
#include "tests/unit/proving.h"

static const fg_mapping roomy = OF_THREADS(.local_bytes = 200 << 10);

/* Of the last stage: threads that are next to each other store next to each other, so many; 1: they do not. */
static int64_t side_by_side(const fg_program *p) {
  const fg_kernel *k = p->kernel[p->nkernel - 1];
  const fg_stage *s = &k->stage[k->nstage - 1];
  int64_t n = 1;
  for (int l = s->nloop - 1; l >= 0; l--) {
    const fg_digit *d = &k->digit[s->loop[l]];
    fg_num step = fg_affine_coef(&s->store.index.at, s->loop[l]),
           base = fg_affine_coef(&s->store.index.base, s->loop[l]);
    if (d->role != FG_ROLE_THREAD || d->name[0] == FG_GUARD_DIGIT[0]) continue;
    if (!fg_num_is(step, n) && !fg_num_is(base, n)) break;
    n *= d->extent.n;
  }
  return n;
}

static const struct {
  const char *problem, *plan;
  int lanes;
} all[] = {
    {"c2c f32 n=64:96:96 batch=400:6144:6144x96:1:1", "stockham(8,8)", 16},
    {"c2c f64 n=60:40:40 batch=400:2400:2400x40:1:1", "stockham(10,6)", 8},
    {"c2c f32 n=60:19:19 batch=400:1140:1140x19:1:1 place=in", "stockham(10,6)", 12},
    {"c2c f32 n=60:3:3 batch=400:180:180x3:1:1", "stockham(10,6)", 3},
    {"c2c f32 n=16:48:48 batch=400:768:768x48:1:1", "direct(16)", 16},
    {"c2c f32 n=101:32:32 batch=400:3232:3232x32:1:1", "rader(101, stockham(10,10))", 16},
    {"c2c f32 n=47:32:32 batch=400:1504:1504x32:1:1", "bluestein(96, stockham(8,12))", 16},
    {"c2c f32 n=256:32:32 batch=400:8192:8192x32:1:1", "four-step(stockham(4,4), stockham(4,4))", 16},
    {"c2c f32 n=256:34:34 batch=400:8704:8704x34:1:1",
     "four-step(stockham(4,4), stockham(4,4); tile=8, rows=8, uneven=on)", 8},
    {"c2c f32 n=12:320:320x20:16:16 batch=400:3840:3840x16:1:1", "nd(stockham(4,3), stockham(5,4))", 16},
    {"c2c f32 n=12:380:380x20:19:19 batch=400:4560:4560x19:1:1", "nd(stockham(4,3), stockham(5,4); inside=2)", 12},
    {"c2c f32 n=1024:513:513 batch=513:1:1 store=log(1+abs(x*h[b,k]))*13.1,u8", "stockham(32,32)", 4},
    {"c2c f32 n=64:98:98 batch=400:6272:6272x98:1:1 load=zeropad(40),mul(channel) store=shift,add(each)",
     "stockham(8,8)", 16},
    {"r2c f64 n=64:40:40 batch=40:1:1x90:2560:1320 load=window(hann) store=x*g[b],mag2", "real(8, direct(8))", 8},
    {"conv f32 n=1024:513:513 batch=513:1:1 spectrum=each scale=1/n", "convolve(stockham(16,4,16))", 4},
    {"conv f32 n=60:19:19 batch=400:1140:1140x19:1:1 spectrum=channel,conj", "convolve(stockham(10,6))", 12},
    {"r2c f32 n=64:32:32 batch=400:2048:1056x32:1:1", "real(8, direct(8))", 16},
    {"c2r f32 n=44:19:19 batch=400:437:836x19:1:1", "real(4, direct(11))", 12},
    {"c2r f32 n=12:220:320x20:16:16 batch=400:2640:3840x16:1:1", "nd(stockham(4,3), real(4, direct(5)))", 16},
};

static void neighbours_are_lanes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *p = assembled_for(all[i].problem, all[i].plan, &roomy);
    must_hold(p);
    int64_t found = side_by_side(p);
    if (found < all[i].lanes) fail_msg("%s: %d neighbours", all[i].problem, (int)found);
  }
}

/* Where wide groups leave most multiprocessors without a block. */
static void few_are_narrower(void **state) {
  (void)state;
  assert_int_equal(side_by_side(assembled_for("c2c f32 n=64:96:96 batch=96:1:1", "stockham(8,8)", &roomy)), 4);
}

/* What a block cannot hold so often is taken alone, as is what is no neighbour. */
static void others_are_alone(void **state) {
  (void)state;
  const fg_program *p = assembled_for("c2c f32 n=2048:32:32 batch=400:65536:65536x32:1:1", "stockham(16,16,8)", &roomy);
  assert_int_equal(side_by_side(p), 8);
  p = assembled_for("c2c f32 n=64:32:32 batch=count[1..32]:1:1", "stockham(8,8)", &roomy);
  assert_int_equal(side_by_side(p) < 16, 1);
  p = assembled_for("c2c f32 n=64:2:2 batch=32:128:128", "stockham(8,8)", &roomy);
  assert_int_equal(side_by_side(p) < 16, 1);
}

/* Planes whose last dimension no tile divides: whole segments, and no kernel for what is left. */
static void last_tile_has_fewer(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
    int kernels;
  } planes[] = {
      {"c2c f32 n=24x35", "nd(stockham(6,4), stockham(7,5); tile=16, rows=5, uneven=on)", 2},
      {"c2c f32 n=24x35 place=in sign=+1", "nd(stockham(6,4), stockham(7,5); tile=16, uneven=on)", 2},
      {"c2c f64 n=6x10x21", "nd(direct(6), direct(10), stockham(7,3); tile=8, uneven=on)", 3},
      {"r2c f32 n=24x64", "nd(stockham(6,4), real(8, direct(8)); tile=16, uneven=on)", 2},
      {"c2r f32 n=24x64", "nd(stockham(6,4), real(8, direct(8)); tile=16, uneven=on)", 2},
      {"r2c f32 n=24x64", "nd(stockham(6,4), real(8, direct(8)); tile=16)", 3},
  };
  for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
    const fg_program *p = assembled_for(planes[i].problem, planes[i].plan, &roomy);
    must_hold(p);
    if (p->nkernel != planes[i].kernels) fail_msg("%s: %d kernels", planes[i].problem, p->nkernel);
  }
}

/* Dense codelets among lanes: parts of four-step and of planes in a block. */
static void dense_parts_hold(void **state) {
  (void)state;
  must_hold(assembled_for("c2c f32 n=323", "four-step(dense(17), dense(19))", &roomy));
  must_hold(assembled_for("c2c f64 n=13x11x7 batch=3", "nd(dense(13), dense(11), direct(7); inside=3)", &roomy));
  must_hold(assembled_for("c2c f32 n=13 load=x+0.5", "dense(13)", &roomy)); /* no number without a partner gets one */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_are_lanes), cmocka_unit_test(few_are_narrower),
                                     cmocka_unit_test(others_are_alone), cmocka_unit_test(last_tile_has_fewer),
                                     cmocka_unit_test(dense_parts_hold)};
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}

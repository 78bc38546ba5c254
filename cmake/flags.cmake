# Flags for all of our own code. Warnings are errors, with gcc and with clang.
add_library(kith_flags INTERFACE)
target_compile_definitions(kith_flags INTERFACE _GNU_SOURCE
                           KITH_DEBUG=$<CONFIG:Debug>) # assertions: src/core/check.h
target_compile_options(kith_flags INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
  -Wwrite-strings -Wvla -Wformat=2 -Wundef -fno-common -fvisibility=hidden)
# Parties on different processors must compute the same numbers: no fused multiply-add, which rounds once
# instead of twice.
target_compile_options(kith_flags INTERFACE -ffp-contract=off)

# Whether the compiler makes code for x86-64, which has loops for its own instruction sets and its own
# kind of control-flow protection. The sources test the same macro.
include(CheckCSourceCompiles)
check_c_source_compiles("#ifndef __x86_64__\n#error\n#endif\nint main(void) { return 0; }" KITH_X86_64)

# Hardening, since we read bytes of peers: tests/scripts/hardening.sh looks for it in what was built.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
target_compile_options(kith_flags INTERFACE -fstack-protector-strong -fstack-clash-protection)
if(KITH_X86_64)
  target_compile_options(kith_flags INTERFACE -fcf-protection)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  target_compile_options(kith_flags INTERFACE -mbranch-protection=standard)
endif()
target_link_options(kith_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
# glibc's checks need the optimizer, and would hide calls from the sanitizers.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}" MATCHES "-O[123s]" AND NOT KITH_SANITIZE)
  target_compile_options(kith_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()

if(KITH_SANITIZE)
  target_compile_options(kith_flags INTERFACE -fsanitize=${KITH_SANITIZE} -fno-omit-frame-pointer
                                              -fno-sanitize-recover=all)
  target_link_options(kith_flags INTERFACE -fsanitize=${KITH_SANITIZE})
endif()
if(KITH_COVERAGE)
  target_compile_options(kith_flags INTERFACE --coverage)
  target_link_options(kith_flags INTERFACE --coverage)
endif()

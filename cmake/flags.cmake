# Flags for all of our own code. Warnings are errors, with gcc and with clang.
add_library(kith_flags INTERFACE)
target_compile_definitions(kith_flags INTERFACE _GNU_SOURCE KITH_VERSION="${PROJECT_VERSION}")
target_compile_options(kith_flags INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
  -Wwrite-strings -Wvla -Wformat=2 -Wundef -fno-common -fvisibility=hidden)

if(KITH_SANITIZE)
  target_compile_options(kith_flags INTERFACE -fsanitize=${KITH_SANITIZE} -fno-omit-frame-pointer
                                              -fno-sanitize-recover=all)
  target_link_options(kith_flags INTERFACE -fsanitize=${KITH_SANITIZE})
endif()
if(KITH_COVERAGE)
  target_compile_options(kith_flags INTERFACE --coverage)
  target_link_options(kith_flags INTERFACE --coverage)
endif()

# Sources lie in src/<module>/ and src/<module>/<room>/. The objects are compiled once; tests and tools
# link them directly and so see inside, the installed libraries show kith_* only.
file(GLOB KITH_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.c ${PROJECT_SOURCE_DIR}/src/*/*/*.c)
kith_drop_absent(KITH_SOURCES)

# One source file per instruction set, with its own flags; chosen at run time (see cpu.h). Processors
# other than x86-64 use the portable forms.
if(KITH_X86_64)
  set(avx2 -mavx2 -mbmi2 -mlzcnt -mpopcnt)
  set(avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq ${avx2})
  foreach(set avx2 avx512)
    set(sources ${KITH_SOURCES})
    list(FILTER sources INCLUDE REGEX "_${set}\\.c$")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${${set}}")
  endforeach()
else()
  list(FILTER KITH_SOURCES EXCLUDE REGEX "_(avx2|avx512)\\.c$")
endif()

# Where installed plugins lie, from the directory of the program's own.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/run/ranks_open.c PROPERTIES
                            COMPILE_DEFINITIONS KITH_LIBDIR="${CMAKE_INSTALL_LIBDIR}")

# Adds C that holds a file, under a name, to a list of sources.
function(kith_embed list name file)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/assets/${name}.c
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/assets
    COMMAND ${PROJECT_SOURCE_DIR}/tools/embed ${name} ${file} > ${PROJECT_BINARY_DIR}/assets/${name}.c
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/tools/embed VERBATIM)
  set(${list} ${${list}} ${PROJECT_BINARY_DIR}/assets/${name}.c PARENT_SCOPE)
endfunction()
# Styles and scripts that reports contain.
kith_embed(REPORT_ASSETS report_assets_style ${PROJECT_SOURCE_DIR}/src/report/report.css)
kith_embed(REPORT_ASSETS report_assets_script ${PROJECT_SOURCE_DIR}/src/report/report.js)
kith_embed(REPORT_ASSETS report_assets_charts ${KITH_CHARTS_FILE})

# Studies that are written beside synthetic data.
foreach(profile hospital adult survey)
  kith_embed(STUDIES study_${profile} ${PROJECT_SOURCE_DIR}/src/generate/${profile}.yaml)
endforeach()

add_library(kith_objects OBJECT ${KITH_SOURCES} ${PROJECT_BINARY_DIR}/assets/protocols.c ${REPORT_ASSETS} ${STUDIES})
target_include_directories(kith_objects PUBLIC ${PROJECT_SOURCE_DIR}/include
                                        PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Program, console, tests and benchmarks come with the library and use all of its interface.
target_compile_definitions(kith_objects PUBLIC KITH_UNSTABLE_API)
target_link_libraries(kith_objects PRIVATE kith_flags
  PUBLIC PkgConfig::SODIUM PkgConfig::SQLITE PkgConfig::PQ PkgConfig::YAML PkgConfig::CJSON PkgConfig::XXHASH
         PkgConfig::OPENSSL PkgConfig::ZSTD PkgConfig::ZLIB Threads::Threads m)
if(TARGET blst)
  target_link_libraries(kith_objects PUBLIC blst)
endif()

# Everything, internals included. The program links it but sees the public headers only; tests and
# benchmarks add src/ to their include path.
add_library(kith_inside STATIC)
target_link_libraries(kith_inside PUBLIC kith_objects)

add_library(kith_shared SHARED)
target_link_libraries(kith_shared PRIVATE kith_objects)
target_include_directories(kith_shared PUBLIC ${PROJECT_SOURCE_DIR}/include)
set_target_properties(kith_shared PROPERTIES OUTPUT_NAME kith VERSION ${PROJECT_VERSION} SOVERSION 0)

# The objects are compiled once; tests and tools link them directly and so see inside, the installed
# libraries show kith_* only.
file(GLOB KITH_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.c)
add_library(kith_objects OBJECT ${KITH_SOURCES})
target_include_directories(kith_objects PUBLIC ${PROJECT_SOURCE_DIR}/include
                                        PRIVATE ${PROJECT_SOURCE_DIR}/src)
set(KITH_LIBRARIES PkgConfig::SODIUM PkgConfig::SQLITE PkgConfig::PQ PkgConfig::YAML PkgConfig::CJSON
                   PkgConfig::XXHASH PkgConfig::OPENSSL PkgConfig::ZSTD PkgConfig::ZLIB Threads::Threads m)
target_link_libraries(kith_objects PUBLIC ${KITH_LIBRARIES} PRIVATE kith_flags)

# One source file per instruction set, with its own flags; chosen at run time (see src/search/simd).
foreach(source ${KITH_SOURCES})
  if(source MATCHES "_avx512\\.c$")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS
                                "-mavx512f;-mavx512bw;-mavx512vl;-mavx512dq;-mavx2;-mbmi2;-mlzcnt;-mpopcnt")
  elseif(source MATCHES "_avx2\\.c$")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi2;-mlzcnt;-mpopcnt")
  endif()
endforeach()

# Everything, internals included, for tests and benchmarks.
add_library(kith_inside STATIC)
target_link_libraries(kith_inside PUBLIC kith_objects)
target_include_directories(kith_inside PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

add_library(kith_shared SHARED)
target_link_libraries(kith_shared PRIVATE kith_objects)
target_include_directories(kith_shared PUBLIC ${PROJECT_SOURCE_DIR}/include)
set_target_properties(kith_shared PROPERTIES OUTPUT_NAME kith VERSION ${PROJECT_VERSION} SOVERSION 0)

# The same for the program, without the include path of the internals.
add_library(kith_objects_only STATIC $<TARGET_OBJECTS:kith_objects>)
set_target_properties(kith_objects_only PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(kith_objects_only INTERFACE ${KITH_LIBRARIES})

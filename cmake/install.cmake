# The static library as installed: all objects, those of blst included, linked into one, whose symbols other than the public
# ones (visibility "default", that is kith_*) are made local.
set(KITH_STATIC ${PROJECT_BINARY_DIR}/libkith.a)
add_custom_command(OUTPUT ${KITH_STATIC}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o kith.o $<TARGET_OBJECTS:kith_objects>
          $<$<TARGET_EXISTS:blst>:${BLST}/libblst.a>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden kith.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${KITH_STATIC}
  COMMAND ${CMAKE_AR} rcs ${KITH_STATIC} kith.o
  DEPENDS kith_objects $<TARGET_OBJECTS:kith_objects>
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(kith_static ALL DEPENDS ${KITH_STATIC})

# From the directory of kith.pc up to the prefix, so that an installed tree can be moved.
string(REGEX REPLACE "[^/]+" ".." KITH_PREFIX_FROM_PC ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(${PROJECT_SOURCE_DIR}/cmake/kith.pc.in ${PROJECT_BINARY_DIR}/kith.pc @ONLY)

install(TARGETS kith_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${KITH_STATIC} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kith DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(KITH_CHARTS) # Chart.js is inside: its licence (MIT) goes with it
  install(FILES ${PROJECT_SOURCE_DIR}/build/web/chart.js.license DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.chartjs)
endif()
if(TARGET blst) # blst is inside: its licence (Apache-2.0) goes with it
  install(FILES ${BLST}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.blst)
endif()
# README.md and its links work as they do here.
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(DIRECTORY bench/notes DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(FILES examples/embed.c examples/columns.c examples/party.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES python/notebooks/tutorial.ipynb DESTINATION ${CMAKE_INSTALL_DOCDIR}/python/notebooks)
install(FILES docs/study.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/kith)
install(FILES ${PROJECT_BINARY_DIR}/kith.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

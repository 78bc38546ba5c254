/* The preloaded library's calls for streams of the C library, which reads and writes their files
 * without calling functions that a library could replace. See failing.h. */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#pragma GCC visibility push(default)

enum { ERROR_FLAG = 0x20 }; /* _IO_ERR_SEEN of glibc: what ferror looks at */

/* Does a call on this stream work? Streams into memory always do. */
static bool works(failing_kind kind, FILE *stream)
{
    const int saved = errno, descriptor = fileno(stream);
    errno = saved; /* a stream into memory has no descriptor */
    if (descriptor < 0 || (kind == FAILING_WRITE && descriptor == STDERR_FILENO))
        return true;
    if (failing_descriptor(kind, descriptor) != FATE_FAILS || errno == EINTR)
        return true; /* nothing interrupts reading and writing of files */
    stream->_flags |= ERROR_FLAG;
    return false;
}

static bool writes(FILE *stream)
{
    return works(FAILING_WRITE, stream);
}

static bool reads(FILE *stream)
{
    return works(FAILING_READ, stream);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    return writes(stream) ? REAL(fwrite)(bytes, size, count, stream) : 0;
}

int fputs(const char *text, FILE *stream)
{
    return writes(stream) ? REAL(fputs)(text, stream) : EOF;
}

int puts(const char *text)
{
    return writes(stdout) ? REAL(puts)(text) : EOF;
}

int fputc(int character, FILE *stream)
{
    return writes(stream) ? REAL(fputc)(character, stream) : EOF;
}

#undef putc
int putc(int character, FILE *stream)
{
    return writes(stream) ? REAL(putc)(character, stream) : EOF;
}

int putchar(int character)
{
    return writes(stdout) ? REAL(putchar)(character) : EOF;
}

int fflush(FILE *stream)
{
    return stream == NULL || __fpending(stream) == 0 || writes(stream) ? REAL(fflush)(stream) : EOF;
}

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    return writes(stream) ? REAL(vfprintf)(stream, format, arguments) : -1;
}

#define PRINT(stream)                                        \
    __extension__({                                          \
        va_list arguments_;                                  \
        va_start(arguments_, format);                        \
        int printed_ = vfprintf(stream, format, arguments_); \
        va_end(arguments_);                                  \
        printed_;                                            \
    })

int fprintf(FILE *stream, const char *format, ...)
{
    return PRINT(stream);
}

int printf(const char *format, ...)
{
    return PRINT(stdout);
}

/* What the compiler calls in their place where it checks sizes (_FORTIFY_SOURCE). */
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *stream);
char *__fgets_chk(char *line, size_t room, int size, FILE *stream);

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return vfprintf(stream, format, arguments);
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    return PRINT(stream);
}

int __printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    return PRINT(stdout);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream)
{
    return reads(stream) ? REAL(fread)(bytes, size, count, stream) : 0;
}

size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *stream)
{
    return reads(stream) ? REAL(__fread_chk)(bytes, room, size, count, stream) : 0;
}

char *fgets(char *line, int size, FILE *stream)
{
    return reads(stream) ? REAL(fgets)(line, size, stream) : NULL;
}

char *__fgets_chk(char *line, size_t room, int size, FILE *stream)
{
    return reads(stream) ? REAL(__fgets_chk)(line, room, size, stream) : NULL;
}

ssize_t getdelim(char **line, size_t *room, int end, FILE *stream)
{
    return reads(stream) ? REAL(getdelim)(line, room, end, stream) : -1;
}

ssize_t __getdelim(char **line, size_t *room, int end, FILE *stream)
{
    return reads(stream) ? REAL(__getdelim)(line, room, end, stream) : -1;
}

#undef getc
int getc(FILE *stream)
{
    return reads(stream) ? REAL(getc)(stream) : EOF;
}

int fclose(FILE *stream)
{
    const int descriptor = fileno(stream);
    const bool fails =
        descriptor >= 0 && failing_descriptor(FAILING_CLOSE, descriptor) == FATE_FAILS;
    const int result = REAL(fclose)(stream);
    return fails ? EOF : result;
}

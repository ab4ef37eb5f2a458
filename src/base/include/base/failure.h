/*
 * Failure values. An error is made once, at the place that knows what is wrong and what
 * was expected; everybody else hands it up and main() prints it and exits.
 *
 * Convention: a function that can fail returns 0 or -1 and takes a struct failure as its
 * last parameter; on -1 the value is filled in.
 */
#ifndef BASE_FAILURE_H
#define BASE_FAILURE_H

#include "base/types.h"

/** The values are the exit statuses of the command. */
enum fail_kind {
	FAIL_NONE = 0,
	FAIL_CHECK = 1,	       /* a check that the user asked for did not hold */
	FAIL_INPUT = 2,	       /* bad input: file, option, argument */
	FAIL_IO = 3,	       /* the system refused: disk full, no permission */
	FAIL_INTERRUPTED = 130 /* SIGINT */
};

struct failure {
	enum fail_kind kind;
	u32 line, col;	/* 1-based; 0 = no position */
	char file[256]; /* "" = no file */
	char what[768]; /* one line: what is wrong, what was expected */
};

/** Fill in a failure of bad input at a place in a file. Returns -1. */
int fail_input(struct failure *f, const char *file, u32 line, u32 col, const char *fmt,
	       ...) __attribute__((format(printf, 5, 6)));

/** Fill in a failure of another kind; file may be NULL. Returns -1. */
int fail_set(struct failure *f, enum fail_kind kind, const char *file, const char *fmt,
	     ...) __attribute__((format(printf, 4, 5)));

/**
 * Render "file:line:col: what" into buf (always terminated, one line: control characters
 * are shown as '?').
 */
void fail_format(const struct failure *f, char *buf, size_t size);

#endif

/* Names of data files: see report/library.h. */
#include "report/library.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/yaml.h"

static const struct {
	const char *name, *folder;
} kinds[LIBRARY_KINDS] = {
	[LIBRARY_MACHINE] = {"machine", "machines"},
	[LIBRARY_KERNEL] = {"kernel", "kernels"},
	[LIBRARY_WORKLOAD] = {"workload", "workloads"},
	[LIBRARY_EXPERIMENT] = {"experiment", "experiments"},
};

const char *library_kind_name(enum library_kind kind)
{
	return kinds[kind].name;
}

const char *library_folder(enum library_kind kind)
{
	return kinds[kind].folder;
}

const char *library_path(const struct library *lib, struct arena *a, const char *file)
{
	return arena_printf(a, "%s/%s", lib->dir, file);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* A data folder is known by the kernels in it. */
static bool is_data(struct arena *a, const char *dir)
{
	return is_folder(arena_printf(a, "%s/%s", dir, kinds[LIBRARY_KERNEL].folder));
}

/* The folder of the running program, or NULL. */
static char *program_folder(struct arena *a)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	return arena_strdup(a, path);
}

int library_open(struct arena *a, const char *dir, const char *fallback,
		 struct library *out, struct failure *f)
{
	static const char *const beside[] = {"../share/sibyl", "data", "../data",
					     "../../data"};
	const char *program;

	out->dir = dir;
	if (dir) {
		if (is_data(a, dir))
			return 0;
		return fail_set(
			f, FAIL_INPUT, dir,
			"is not a data folder, expected one with 'kernels' in it");
	}
	program = program_folder(a);
	for (size_t i = 0; program && i < ARRAY_SIZE(beside); i++) {
		out->dir = arena_printf(a, "%s/%s", program, beside[i]);
		if (is_data(a, out->dir)) {
			char *real = realpath(out->dir, NULL);

			if (real)
				out->dir = arena_strdup(a, real);
			free(real);
			return 0;
		}
	}
	out->dir = fallback;
	if (fallback && is_data(a, fallback))
		return 0;
	return fail_set(f, FAIL_INPUT, NULL,
			"the data folder was not found, expected it in $SIBYL_DATA");
}

static const char *const suffix[] = {".yaml", ".yml", ".json", ".xml"};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static bool is_path(const char *name)
{
	if (strchr(name, '/'))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(suffix); i++)
		if (ends_with(name, suffix[i]))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* NAME.yaml and NAME.json are one name. */
static u32 without_twins(const char **names, u32 n)
{
	u32 kept = 0;

	for (u32 i = 0; i < n; i++)
		if (!kept || strcmp(names[kept - 1], names[i]))
			names[kept++] = names[i];
	return kept;
}

/* A workload may be a file of rt-app. */
static bool is_data_file(enum library_kind kind, const char *name)
{
	return ends_with(name, ".yaml") ||
	       (kind == LIBRARY_WORKLOAD && ends_with(name, ".json"));
}

int library_names(const struct library *lib, struct arena *a, enum library_kind kind,
		  const char *const **out, u32 *n, struct failure *f)
{
	const char *folder = library_path(lib, a, kinds[kind].folder);
	u32 cap = 64;
	const char **names = arena_array(a, const char *, cap);
	DIR *d = opendir(folder);
	struct dirent *e;

	*n = 0;
	*out = names;
	if (!d) {
		if (errno == ENOENT)
			return 0;
		return fail_set(f, FAIL_IO, folder, "cannot be read: %s",
				strerror(errno));
	}
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.' || !is_data_file(kind, e->d_name))
			continue;
		if (*n == cap) {
			const char **more = arena_array(a, const char *, cap * 2);

			memcpy(more, names, sizeof(*names) * cap);
			names = more;
			cap *= 2;
		}
		names[(*n)++] = arena_strndup(a, e->d_name, strlen(e->d_name) - 5);
	}
	closedir(d);
	qsort(names, *n, sizeof(*names), by_name);
	*n = without_twins(names, *n);
	*out = names;
	return 0;
}

static int not_there(const struct library *lib, struct arena *a, enum library_kind kind,
		     const char *name, struct failure *f)
{
	const char *const *names, *near;
	u32 n;

	if (library_names(lib, a, kind, &names, &n, f))
		return -1;
	near = nearest_name(name, names, n);
	if (!n)
		return fail_set(f, FAIL_INPUT, NULL, "no %s '%.60s': %s/%s holds none",
				kinds[kind].name, name, lib->dir, kinds[kind].folder);
	if (near)
		return fail_set(f, FAIL_INPUT, NULL, "no %s '%.60s', did you mean '%s'?",
				kinds[kind].name, name, near);
	return fail_set(f, FAIL_INPUT, NULL,
			"no %s '%.60s', expected a path or one of 'sibyl list %s'",
			kinds[kind].name, name, kinds[kind].folder);
}

int library_find(const struct library *lib, struct arena *a, enum library_kind kind,
		 const char *name, const char **path, struct failure *f)
{
	struct stat st;

	*path = name;
	if (!*name)
		return fail_set(f, FAIL_INPUT, NULL, "the name of a %s is empty",
				kinds[kind].name);
	if (kind == LIBRARY_MACHINE && (!strcmp(name, "this") || strchr(name, ':')))
		return 0;
	if (!is_path(name)) {
		*path = arena_printf(a, "%s/%s/%s.yaml", lib->dir, kinds[kind].folder,
				     name);
		if (kind == LIBRARY_WORKLOAD && stat(*path, &st))
			*path = arena_printf(a, "%s/%s/%s.json", lib->dir,
					     kinds[kind].folder, name);
		if (stat(*path, &st))
			return not_there(lib, a, kind, name, f);
		return 0;
	}
	if (stat(name, &st))
		return fail_set(f, FAIL_INPUT, name, "cannot be opened: %s",
				strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fail_set(f, FAIL_INPUT, name, "is a directory, expected a file");
	*path = arena_strdup(a, name);
	return 0;
}

int library_resolve_kernel(void *ctx, struct arena *a, const char *name,
			   const char **path, struct failure *f)
{
	return library_find(ctx, a, LIBRARY_KERNEL, name, path, f);
}

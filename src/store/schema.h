/*
 * The schema of the store and how a file is recognised.
 */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

/** "sibl": PRAGMA application_id of a store. */
#define STORE_APPLICATION 0x7369626c

/** PRAGMA user_version; a file of a higher one is refused. */
#define STORE_VERSION 1

extern const char store_schema[];

#endif

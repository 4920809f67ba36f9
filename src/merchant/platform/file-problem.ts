// Explains to a person that a file of a data folder cannot be used, as after a start by another user.

import { statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A sentence with the file and the remedy; null if this is no such error. */
export function fileProblem(error: unknown): string | null {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path === undefined || code === undefined) return null;
  const file = resolve(path);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `${file} cannot be opened by this user (${code}): ${remedy(file)}`;
    case 'EROFS':
      return `${file} cannot be written, because the file system is read-only: set DATA_DIR to another folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `${file} cannot be written, because the disk is full (${code}): make room, or set DATA_DIR to another folder.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${file} is a file where a folder is needed: move it, or set DATA_DIR to another folder.`;
    default:
      return null;
  }
}

/** Files of one's own may lack permissions; those of another user are often left by a start with sudo. */
function remedy(file: string): string {
  const { folder, owner } = surroundings(file);
  if (owner !== null && owner === process.getuid?.())
    return `its permissions have changed. Run: chmod -R u+rwX '${folder}'`;
  const whose = owner === null ? 'another user' : `another user (uid ${owner})`;
  return `it belongs to ${whose}. Run this as that user, or run: sudo chown -R "$(id -un)" '${folder}'`;
}

/** The folder to change, and the owner of what cannot be opened, as far as the system shows it. */
function surroundings(file: string): { folder: string; owner: number | null } {
  const parent = dirname(file);
  const found = statusOf(file);
  if (found !== null) return { folder: found.isDirectory() ? file : parent, owner: found.uid };
  return { folder: parent, owner: statusOf(parent)?.uid ?? null };
}

function statusOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

// Watches files below folders. Not with `recursive` of Node.js: on Linux it watches each file by itself, and misses every save
// of a file that was replaced once, as `sed -i` and many editors save.

import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * @param onChange is called with a path from the folder
 * @returns the end of it
 */
export function watchFolders(folders: readonly string[], onChange: (file: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();

  /**
   * Also a folder that comes back under the same name, whose old watcher sees nothing any more.
   * @param onFile is called with its files, which are as new as the folder
   */
  function add(root: string, folder: string, onFile?: (file: string) => void): void {
    watchers.get(folder)?.close();
    const watcher = watch(folder, (_event, file) => {
      if (file === null) return;
      const path = join(folder, file);
      if (isFolder(path)) add(root, path, onChange);
      else onChange(relative(root, path));
    });
    watcher.on('error', () => watcher.close());
    watchers.set(folder, watcher);
    for (const each of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, each.name);
      if (each.isDirectory()) add(root, path, onFile);
      else onFile?.(relative(root, path));
    }
  }

  for (const folder of folders) add(folder, folder);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** False for what is already gone. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

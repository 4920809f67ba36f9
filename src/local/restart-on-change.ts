// `npm run dev`: runs a program again when its sources or templates change. Files of `static` are read at each request anyway.

import type { ChildProgram } from './child-program';
import { watchFolders } from './watch-folders';

const LOADED_ONCE = /\.(ts|eta)$/;
/** An editor saves several files at a time, and one file in several steps. */
const QUIET_MS = 150;

/**
 * A program that ends by itself after its start, such as one with a syntax error, is started again at the next change.
 * @param launch starts it once
 * @param onRestart is called with the file that has changed
 */
export function restartOnChange(
  launch: () => ChildProgram,
  folders: readonly string[],
  onRestart: (file: string) => void,
): ChildProgram {
  const first = launch();
  let current = first;
  let restarted = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let end: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => (end = resolve));

  async function restart(file: string): Promise<void> {
    onRestart(file);
    await current.stop();
    current = launch();
  }

  const stopWatching = watchFolders(folders, (file) => {
    if (!LOADED_ONCE.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarted = restarted.then(() => restart(file));
    }, QUIET_MS);
  });

  let isReady = false;
  void first.ready.then(() => (isReady = true));
  void first.exited.then((code) => {
    if (!isReady && current === first) end(code);
  });
  return {
    output: null,
    ready: first.ready,
    exited,
    async stop() {
      stopWatching();
      clearTimeout(timer);
      await restarted;
      await current.stop();
      end(0);
    },
  };
}

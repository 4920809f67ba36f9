// Runs a command as the container engines run the image: every disk is read-only, and the user is not root and has no rights.
// It takes Linux and root, and needs no container engine.

import { spawnSync } from 'node:child_process';

/** `nobody`, who owns no file of the image. */
export const NOBODY = 65534;

/**
 * In its own mount namespace, so that the disk is read-only for this command alone. Other mounts do not change. `$0` and what
 * follows is the command; each step replaces the one before, so that a signal reaches it.
 */
const LOCK = `
  set -e
  for at in $(cut -d' ' -f2 /proc/self/mounts | sort -u); do
    case $at in
      /proc|/proc/*|/sys|/sys/*|/dev|/dev/*) ;;
      *) mount -o remount,bind,ro "$at" ;;
    esac
  done
  exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all -- "$0" "$@"`;

/** The command and its arguments that run the given one in this way. */
export function onReadOnlyDisk(command: string, args: readonly string[]): [string, string[]] {
  return ['unshare', ['--mount', '--propagation', 'private', 'sh', '-c', LOCK, command, ...args]];
}

/** Null if it is possible here, else the reason. */
export function whyNoReadOnlyDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  const { status, stderr } = spawnSync(...onReadOnlyDisk('true', []), { encoding: 'utf8' });
  return status === 0 ? null : `this machine does not allow it: ${stderr}`;
}

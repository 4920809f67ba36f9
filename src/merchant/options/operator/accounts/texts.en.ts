// English texts of the sign-in and of operators' accounts.

import type { accountsKo } from './texts.ko';

export const accountsEn: typeof accountsKo = {
  signIn: {
    title: 'Operator sign-in',
    by: 'Your name',
    byHint: 'What you do is recorded under this name.',
    password: 'Password',
    code: 'Code of the app, or a recovery code',
    codeHint: 'Only if your account has a second factor.',
    submit: 'Sign in',
    problems: {
      by: 'Enter your name in one line of at most 64 characters.',
      password: 'Enter the password.',
      wrong_password: 'The password is wrong. It is the setting OPERATOR_PASSWORD.',
      wrong_account: 'Name, password or code is wrong. A code works once: wait for the next one.',
      too_many: 'Too many attempts. Try again in a few minutes.',
      busy: 'Too many people are signing in at this moment. Try again in a few seconds.',
      link_ended:
        'This link was used, has ended, or belongs to another start. Sign in with the password, or run npm start again for a new link.',
      signed_out: 'You are not signed in, so nothing was changed. Sign in and try again.',
    },
  },
  accounts: {
    title: 'Operator accounts',
    intro:
      'Make one account for each operator: what is resolved, noted and refunded is recorded under its name. Accounts are disabled, never deleted.',
    none: 'There is no account yet, so OPERATOR_PASSWORD signs in. The first account must have the role “Administration”. Once there is one, OPERATOR_PASSWORD no longer signs in.',
    made: 'New password of',
    onlyNow:
      'It is shown only now. Give it to this person in a safe way, who has to change it at the first sign-in.',
    changed: {
      role: 'The role was changed. This operator must sign in again.',
      disable: 'The account was disabled, and its sessions have ended.',
      'end-sessions': 'This operator was signed out of all browsers.',
    },
    add: 'Add an account',
    name: 'Name',
    nameHint: 'At most 64 characters. It is recorded with each action, so it cannot be changed.',
    role: 'Role',
    roles: {
      view: 'View',
      decide: 'Resolve and note',
      refund: 'Refund, too',
      admin: 'Administration',
    },
    secondFactor: 'Second factor',
    on: 'On',
    off: 'Off',
    sessions: 'Signed-in browsers',
    state: 'State',
    enabled: 'In use',
    disabled: 'Disabled',
    change: 'Change',
    changeRole: 'Change the role',
    reset: 'Reset',
    resetHint: 'Makes a new password and removes the second factor. A disabled account can be used again.',
    problems: {
      wrong: 'Check name and role. The name is one line of at most 64 characters.',
      taken: 'An account has this name, perhaps in other letters (upper or lower case). Take another name.',
      not_admin: 'The first account must have the role “Administration”.',
      not_found: 'There is no such account. Find it in the list.',
      last_admin:
        'One account in use must have the role “Administration”. Give this role to another account first.',
      too_short: 'The password must have at least 12 characters.',
      too_common: 'The password is too common. Take another one.',
      has_name: 'The password must not contain your name.',
      not_new: 'The new password is the old one. Take another one.',
      wrong_password: 'The current password is wrong.',
      wrong_code:
        'The code is wrong. Check the time of your phone, and enter the code that the app shows now.',
      too_many: 'Too many attempts. Try again in a few minutes.',
    },
    own: {
      title: 'My account',
      byProxy: 'The proxy in front signs you in. Change password and second factor there.',
      noAccount:
        'You are signed in with OPERATOR_PASSWORD. Once you make an account under “Operator accounts”, this password no longer signs in.',
      password: 'Change the password',
      current: 'Current password',
      next: 'New password',
      nextHint: 'At least 12 characters. A long sentence is fine.',
      change: 'Change',
      changed: 'The password was changed. Other browsers were signed out.',
      mustChange: 'You signed in with a temporary password. Change it before you open other pages.',
      required: 'Set up a second factor before you open other pages.',
      isOn: 'The second factor is on. For a new phone, ask an administrator to reset your account.',
      codesLeft: 'Recovery codes left:',
      setUp:
        'Scan the QR code with an authenticator app, or add this secret to an authenticator app. Then enter the six digits that the app shows.',
      qrCode: 'QR code for the second factor',
      sessions: 'Signed-in browsers',
      opened: 'Signed in',
      lastUsed: 'Last used',
      here: 'This browser',
      endOthers: 'Sign out other browsers',
      othersEnded: 'The other browsers were signed out.',
      secret: 'Secret',
      open: 'Open it in an app on this device',
      code: 'Code',
      confirm: 'Switch on',
      recovery: 'Recovery codes',
      recoveryHint:
        'They are shown only now. Without your phone, each signs you in once, in place of a code of the app. Keep them in a safe place.',
    },
  },
};

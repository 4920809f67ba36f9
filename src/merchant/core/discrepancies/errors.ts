// The errors of discrepancies.

import { defineErrors } from '../../platform/errors';

export const discrepancyErrors = defineErrors({
  discrepancy_not_found: {
    status: 404,
    message: 'There is no discrepancy with this id.',
    remedy: 'See GET /api/discrepancies.',
  },
});

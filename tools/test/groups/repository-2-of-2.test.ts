import { runShare } from '../../../test/groups/run-share';

runShare(__filename);

import { shareChromium } from '../support/chromium';
import { runShare } from './run-share';

shareChromium();
runShare(__filename);

import type {ReactiveControllerHost} from 'lit';

/**
 * Calls `onRestored` and renders the host again when the browser shows the page from the back-forward cache. In that
 * cache, the elements are as they were when the shopper left.
 */
export function whenRestored(host: ReactiveControllerHost, onRestored: () => void): void {
  const onShow = ({persisted}: PageTransitionEvent): void => {
    if (!persisted) return;
    onRestored();
    host.requestUpdate();
  };
  host.addController({
    hostConnected: () => addEventListener('pageshow', onShow),
    hostDisconnected: () => removeEventListener('pageshow', onShow),
  });
}

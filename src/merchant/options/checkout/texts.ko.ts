// Korean texts of the return page of the payment window. The English file must have the same keys to compile.

export const ko = {
  checkout: {
    states: {
      paid: { title: '결제가 완료됐어요', text: '결제를 확인했어요. 이 페이지는 닫아도 돼요.' },
      partly_refunded: {
        title: '일부 금액이 환불된 결제예요',
        text: '나머지 금액은 결제된 상태 그대로예요.',
      },
      cancelled: {
        title: '취소된 결제예요',
        text: '결제한 금액을 모두 환불했어요. 카드사에 따라 며칠 뒤에 보일 수 있어요.',
      },
      cancelled_deposit: {
        title: '취소된 결제예요',
        text: '입금한 금액을 환불받을 계좌로 모두 환불했어요.',
      },
      cancelled_other: {
        title: '취소된 결제예요',
        text: '결제한 금액을 결제한 수단으로 모두 환불했어요. 며칠 뒤에 보일 수 있어요.',
      },
      cancelled_unpaid: {
        title: '취소된 결제예요',
        text: '결제 서비스에서 결제된 금액이 없는 것으로 확인됐어요. 결제했다면 고객센터로 알려 주세요.',
      },
      awaiting_deposit: {
        title: '입금을 기다리고 있어요',
        text: '아래 계좌로 기한 안에 금액을 정확히 입금해 주세요. 입금이 확인되면 결제가 완료돼요.',
      },
      deposit_late: {
        title: '입금 기한이 지났어요',
        text: '이 계좌로 입금하지 마세요. 이미 입금했다면 확인되는 대로 이 페이지에 표시돼요. 표시되지 않으면 고객센터로 알려 주세요.',
      },
      deposit_over: {
        title: '이제 입금을 기다리지 않아요',
        text: '이 결제의 계좌로 입금하지 마세요. 이미 입금했다면 고객센터로 알려 주세요.',
      },
      failed: {
        title: '결제하지 못했어요',
        text: '결제 서비스에서 빠져나간 금액이 없는 것으로 확인됐어요. 주문에서 다시 결제하거나 다른 결제수단을 써 주세요.',
      },
      paid_otherwise: {
        title: '이미 결제된 주문이에요',
        text: '이 결제로 빠져나간 금액은 없는 것으로 확인됐고, 주문은 다른 결제로 완료됐어요. 다시 결제하거나 입금하지 마세요.',
      },
      not_known_yet: {
        title: '결제를 확인하고 있어요',
        text: '결제 결과를 아직 확인하지 못했어요. 이미 결제됐을 수 있으니 다시 결제하지 말고 기다려 주세요.',
      },
      checking: {
        title: '저희가 결제를 확인하고 있어요',
        text: '결제와 주문이 맞는지 사람이 확인해야 해요. 다시 결제하지 마시고, 궁금한 점은 고객센터로 알려 주세요.',
      },
      missing: {
        title: '주소에 결제 정보가 없어요',
        text: '주소가 온전하지 않거나 다른 주문의 결제예요. 결제하셨다면 고객센터로 알려 주세요.',
      },
    },
    order: '주문',
    amount: '금액',
    card: '카드사',
    approval: '승인번호',
    paidAt: '결제 일시',
    account: '입금할 계좌',
    bank: '은행',
    accountNumber: '계좌번호',
    holder: '예금주',
    until: '입금 기한',
    zone: '한국 시간',
    back: '주문 보기',
  },
};

export type CheckoutTexts = typeof ko;

// Classes and members with macros that say more of them.
#include "doors/export.h"

namespace doors {

class DOORS_EXPORT Door {
 public:
  explicit Door(int width);

  // Opens it.
  virtual bool Open(int key) = 0;
  virtual const char* Name() const = 0;

  void Lock() EXCLUSIVE_LOCK_FUNCTION(mu_) { locked_ = true; }
  bool locked() const { return locked_; }

 protected:
  using Key = int;
  typedef void (*Opened)(Door*);

 private:
  mutable std::mutex mu_;
  bool locked_ GUARDED_BY(mu_) = false;
  std::vector<Key> keys_ ABSL_GUARDED_BY(mu_);
};

struct DOORS_EXPORT Frame final : public Base {
  int width, *height;
  Door& door;
};

template <typename T>
struct List {
  struct Node;
  void Add(T item);
};

template <typename T>
struct List<T>::Node {
  T item;
  Node* next;
};

template <typename T>
void List<T>::Add(T item) {
  head_ = new Node{item, head_};
}

}  // namespace doors

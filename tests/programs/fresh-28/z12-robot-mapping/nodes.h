#pragma once
#include <memory>
#include "slam.h"

namespace slam {

std::unique_ptr<Node> makeLocaliser(PoseRing& ring);
std::unique_ptr<Node> makeMapper(PoseRing& ring, unsigned* map);

}  // namespace slam
